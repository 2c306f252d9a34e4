// SPDX-License-Identifier: Apache-2.0
// Does a trained network keep its loss on longer sequences? Definitions: language-model.md.
#pragma once

#include <tuple>

#include "poslab/experiment/training_definition.hpp"
#include "poslab/experiment/training_measures.hpp"

namespace poslab::experiments::language_model {

using base::Index;

struct Multiple {
  static constexpr InnerAxis dimension{"multiple"};
};
struct Shift {
  static constexpr InnerAxis dimension{"shift"};
};
struct Position {
  static constexpr Dimension dimension{
      .name = "position", .unit = "token", .sentence = "the token's place in its sequence, from 0"};
};
struct Probe {
  static constexpr Dimension dimension{.name = "probe",
                                       .sentence = "number of a kind of sequences on the task's page, from 0"};
};

/// A bound that the task knows, at each place or over all.
template <class... D>
constexpr Measure<D...> bound(const char* name, const char* unit, const char* sentence) {
  return {.name = name,
          .unit = unit,
          .sentence = sentence,
          .definition = "the task's page; NaN where it is not known",
          .null_value = "the same",
          .tolerance = relative(1e-9)};
}

struct LanguageModel final : TrainingDefinition {
  static constexpr About about{
      .id = "language-model",
      .version = "2.2",
      .title = "Language model",
      .question = "Does a trained network keep its loss on sequences longer than it was trained on?",
      .draws_contents = true,
      .default_repeats = 3};

  Index train_length, held_out, sliding;
  std::vector<double> multiple, shift;
  static Axes<LanguageModel> axes();

  static constexpr Measure<Multiple>
      loss = of_training::measured<Multiple>(
          "loss", "nat", "loss on sequences of this length, in windows that do not overlap",
          "mean cross entropy over the tokens that count of held-out sequences, each seen by itself", "log V"),
      perplexity = of_training::measured<Multiple>("perplexity", "1", "exp of the loss", "exp(loss)", "V"),
      perplexity_ratio =
          of_training::measured<Multiple>("perplexity_ratio", "1", "perplexity over that at the first multiple",
                                          "exp(loss - loss at the first multiple)", "1"),
      accuracy = of_training::measured<Multiple>("accuracy", "1", "share of tokens that are said right",
                                                 "share of the tokens that count whose target has the largest logit",
                                                 "chance_accuracy"),
      refused{.name = "refused",
              .sentence = "whether this length is beyond what the scheme can serve: it is then not measured",
              .definition = "1 if it is, else 0; NaN where the task, or its file, has no sequence of it",
              .null_value = "0",
              .tolerance = exact()},
      sliding_loss = of_training::measured<Multiple>(
          "sliding_loss", "nat", "loss of a token that sees a whole window of this length",
          "mean cross entropy of the last token of `sliding` windows, each one token after the other; NaN without",
          "log V");
  static constexpr Measure<Shift> loss_shifted = of_training::measured<Shift>(
                                      "loss_shifted", "nat", "loss at the trained length if positions begin at k",
                                      "as loss, at positions k, k + 1, ...; NaN where the scheme does not serve them",
                                      "log V"),
                                  rise_shifted = of_training::measured<Shift>(
                                      "rise_shifted", "nat", "how much the loss rises if positions begin at k",
                                      "loss_shifted less the loss at positions 0, 1, ...", "0");
  static constexpr Measure<Probe>
      probe_accuracy = of_training::measured<Probe>(
          "probe_accuracy", "1", "accuracy on a special kind of sequences of the trained length",
          "accuracy on `held_out` instances of the task's probe of this number; NaN if it has none", "chance_accuracy"),
      probe_gap =
          of_training::measured<Probe>("probe_gap", "1", "accuracy on a kind of sequences less that on the next kind",
                                       "probe_accuracy less that of the next probe; NaN at the last", "0");
  static constexpr Measure<Position>
      loss_by_position = of_training::measured<Position>(
          "loss_by_position", "nat", "loss of the token at this place",
          "mean over held-out sequences of the largest multiple that is served, not overlapping", "log V"),
      accuracy_by_position = of_training::measured<Position>("accuracy_by_position", "1",
                                                             "share of sequences whose token at this place is said "
                                                             "right",
                                                             "the same of accuracy", "chance_accuracy"),
      best_loss_by_position =
          bound<Position>("best_loss_by_position", "nat", "loss of the best possible guess at this place"),
      unordered_by_position = bound<Position>(
          "unordered_by_position", "1",
          "accuracy at this place of the best guess that knows which tokens there are but not their order");
  static constexpr Scalar unordered_accuracy =
      bound<>("unordered_accuracy", "1", "the same over all places, at the trained length");
  static constexpr std::tuple measures =
      std::tuple_cat(of_training::measures,
                     std::tuple{loss, perplexity, perplexity_ratio, accuracy, refused, sliding_loss, loss_shifted,
                                rise_shifted, probe_accuracy, probe_gap, loss_by_position, accuracy_by_position,
                                best_loss_by_position, unordered_by_position, unordered_accuracy});

  /// Positions of its tokens, which are not the size: the two differ for tasks that ask after a prompt.
  Index model_train_length() const override;
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  std::optional<base::Refusal> why_not_files(const Files& files) const override {
    return why_not_file(files, train_length);
  }
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::language_model
