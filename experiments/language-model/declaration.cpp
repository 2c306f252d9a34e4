// SPDX-License-Identifier: Apache-2.0
// What language-model asks and measures, as data.
#include "poslab/experiment/declare.hpp"
#include "poslab/experiment/training_axes.hpp"

namespace poslab::experiments::language_model {
namespace {

data::MeasureInfo measure(const std::string& name, const std::string& dimension, const std::string& unit,
                          const std::string& sentence, const std::string& definition, const std::string& null_value) {
  return trained_measure(name, {dimension}, unit, sentence, definition, null_value);
}

data::MeasureInfo bound(const std::string& name, std::vector<std::string> dimensions, const std::string& unit,
                        const std::string& sentence) {
  return {.name = name,
          .dimensions = std::move(dimensions),
          .unit = unit,
          .sentence = sentence,
          .definition = "the task's page; NaN where it is not known",
          .null_value = "the same",
          .tolerance = relative(1e-9)};
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "language-model";
  info.version = "1.2";
  info.title = "Language model";
  info.question = "Does a trained network keep its loss on sequences longer than it was trained on?";
  info.axes = training_axes(task_ids("markov"));
  const std::vector<data::AxisInfo> own{
      Axis{.name = "train_length",
           .default_value = std::int64_t{64},
           .range = from_one,
           .unit = "token",
           .sentence = "T: size of the instances that it is trained on: for most tasks their tokens"},
      Axis{.name = "held_out",
           .default_value = std::int64_t{64},
           .range = {.lowest = 1, .highest = 1e6},
           .unit = "sequences",
           .sentence = "held-out sequences of each length, or all that a file has"},
      Axis{.name = "sliding",
           .default_value = std::int64_t{0},
           .range = {.lowest = 0, .highest = 1e6},
           .unit = "window",
           .sentence = "windows of sliding_loss; 0: it is not measured"},
      Axis{.name = "multiple",
           .default_value = std::vector<double>{1, 2, 4, 8},
           .range = {.lowest = 1, .highest = 1e4},
           .sentence = "length of the held-out sequences over the trained length"}};
  info.axes.insert(info.axes.end(), own.begin(), own.end());
  info.axes.push_back(
      Axis{.name = "shift",
           .default_value = std::vector<double>{0},
           .range = {.lowest = 0, .highest = 1e9},
           .unit = "position",
           .sentence = "k: sequences of the trained length are measured at positions k, k + 1, ... too"});
  info.draws_contents = true;
  info.default_repeats = 3;
  info.files = training_files();
  info.dimensions = training_dimensions();
  info.dimensions.push_back(
      {.name = "position", .unit = "token", .sentence = "the token's place in its sequence, from 0"});
  info.dimensions.push_back(
      {.name = "probe", .unit = "1", .sentence = "number of a kind of sequences on the task's page, from 0"});
  info.measures = training_measures();
  const std::vector<data::MeasureInfo> found{
      measure("loss", "multiple", "nat", "loss on sequences of this length, in windows that do not overlap",
              "mean cross entropy over the tokens that count of held-out sequences, each seen by itself", "log V"),
      measure("perplexity", "multiple", "1", "exp of the loss", "exp(loss)", "V"),
      measure("perplexity_ratio", "multiple", "1", "perplexity over that at the first multiple",
              "exp(loss - loss at the first multiple)", "1"),
      measure("accuracy", "multiple", "1", "share of tokens that are said right",
              "share of the tokens that count whose target has the largest logit", "chance_accuracy"),
      {.name = "refused",
       .dimensions = {"multiple"},
       .sentence = "whether this length is beyond what the scheme, or the file, can serve: it is then not measured",
       .definition = "1 if it is, else 0",
       .null_value = "0",
       .tolerance = exact()},
      measure("sliding_loss", "multiple", "nat", "loss of a token that sees a whole window of this length",
              "mean cross entropy of the last token of `sliding` windows, each one token after the other; NaN without",
              "log V"),
      measure("loss_shifted", "shift", "nat", "loss at the trained length if positions begin at k",
              "as loss, at positions k, k + 1, ...; NaN where the scheme does not serve them", "log V"),
      measure("rise_shifted", "shift", "nat", "how much the loss rises if positions begin at k",
              "loss_shifted less the loss at positions 0, 1, ...", "0"),
      measure("probe_accuracy", "probe", "1", "accuracy on a special kind of sequences of the trained length",
              "accuracy on `held_out` instances of the task's probe of this number; NaN if it has none",
              "chance_accuracy"),
      measure("probe_gap", "probe", "1", "accuracy on a kind of sequences less that on the next kind",
              "probe_accuracy less that of the next probe; NaN at the last", "0"),
      measure("loss_by_position", "position", "nat", "loss of the token at this place",
              "mean over held-out sequences of the largest multiple that is served, not overlapping", "log V"),
      measure("accuracy_by_position", "position", "1", "share of sequences whose token at this place is said right",
              "the same of accuracy", "chance_accuracy"),
      bound("best_loss_by_position", {"position"}, "nat", "loss of the best possible guess at this place"),
      bound("unordered_by_position", {"position"}, "1",
            "accuracy at this place of the best guess that knows which tokens there are but not their order"),
      bound("unordered_accuracy", {}, "1", "the same over all places, at the trained length")};
  info.measures.insert(info.measures.end(), found.begin(), found.end());
  return info;
}

}  // namespace poslab::experiments::language_model
