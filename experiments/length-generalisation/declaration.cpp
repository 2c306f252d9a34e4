// SPDX-License-Identifier: Apache-2.0
// What length-generalisation asks and measures, as data.
#include "poslab/experiment/declare.hpp"
#include "poslab/experiment/training_axes.hpp"

namespace poslab::experiments::length_generalisation {
namespace {

data::MeasureInfo measure(const std::string& name, std::vector<std::string> dimensions, const std::string& unit,
                          const std::string& sentence, const std::string& definition, const std::string& null_value) {
  return trained_measure(name, std::move(dimensions), unit, sentence, definition, null_value, 1e-2);
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "length-generalisation";
  info.version = "1.2";
  info.title = "Length generalisation";
  info.question = "Does a network that solves small instances of a task solve larger ones?";
  info.axes = training_axes(task_ids("copy"));
  const std::vector<data::AxisInfo> own{
      Axis{.name = "smallest",
           .default_value = std::int64_t{1},
           .range = from_one,
           .sentence = "smallest size that it is trained on, in the task's own measure of size"},
      Axis{.name = "largest",
           .default_value = std::int64_t{10},
           .range = from_one,
           .sentence = "largest size that it is trained on; all sizes up to it are alike often"},
      Axis{.name = "held_out",
           .default_value = std::int64_t{128},
           .range = {.lowest = 1, .highest = 1e6},
           .unit = "sequences",
           .sentence = "held-out sequences of each size"},
      Axis{.name = "size",
           .default_value = std::vector<double>{5, 10, 12, 14, 16, 18, 20},
           .range = {.lowest = 1, .highest = 1e6},
           .sentence = "sizes at which it is measured"}};
  info.axes.insert(info.axes.end(), own.begin(), own.end());
  info.draws_contents = true;
  info.default_repeats = 3;
  info.files = training_files();
  info.dimensions = training_dimensions();
  info.measures = training_measures();
  const std::string chance = "chance";
  const std::vector<data::MeasureInfo> found{
      measure("loss", {"size"}, "nat", "loss at this size", "mean cross entropy over the tokens that count", "log V"),
      measure("accuracy", {"size"}, "1", "share of tokens that are said right",
              "share of the tokens that count whose target has the largest logit; a decoder is fed the right answer",
              chance),
      measure("exact", {"size"}, "1", "share of sequences that are said right as a whole",
              "share of sequences all of whose tokens are right: for a decoder that of greedy decoding, too",
              "about 0"),
      {.name = "chance",
       .dimensions = {"size"},
       .sentence = "accuracy of the best constant answer",
       .definition = "the task's page; NaN where it is not known",
       .null_value = "the same",
       .tolerance = relative(1e-9)},
      {.name = "unordered",
       .dimensions = {"size"},
       .sentence = "accuracy of the best guess that knows which tokens there are but not their order",
       .definition = "the task's page; NaN where it is not known",
       .null_value = "the same",
       .tolerance = relative(1e-9)},
      {.name = "refused",
       .dimensions = {"size"},
       .sentence = "whether this size is beyond what the scheme can serve: it is then not measured",
       .definition = "1 if it is, else 0",
       .null_value = "0",
       .tolerance = exact()},
      measure("accuracy_within", {}, "1", "mean accuracy over the sizes up to the largest trained one",
              "mean of accuracy; NaN where one of them is not measured", chance),
      measure("accuracy_beyond", {}, "1", "mean accuracy over the sizes beyond", "the same", chance),
      measure("exact_within", {}, "1", "mean share of whole sequences up to the largest trained size", "mean of exact",
              "about 0"),
      measure("exact_beyond", {}, "1", "mean share of whole sequences beyond", "the same", "about 0")};
  info.measures.insert(info.measures.end(), found.begin(), found.end());
  return info;
}

}  // namespace poslab::experiments::length_generalisation
