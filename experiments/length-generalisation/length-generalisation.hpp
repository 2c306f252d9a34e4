// SPDX-License-Identifier: Apache-2.0
// Does a network that solves small instances of a task solve larger ones? Definitions: length-generalisation.md.
#pragma once

#include <tuple>

#include "poslab/experiment/training_definition.hpp"
#include "poslab/experiment/training_measures.hpp"
#include "poslab/experiment/training_positions.hpp"

namespace poslab::experiments::length_generalisation {

using base::Index;

struct Size {
  static constexpr InnerAxis dimension{"size"};
};

template <class... D>
constexpr Measure<D...> measured(const char* name, const char* sentence, const char* definition, const char* null_value,
                                 const char* unit = "1") {
  return {.name = name,
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = trained_tolerance,
          .float32 = trained_in_float32(1e-2)};
}

struct LengthGeneralisation final : TrainingDefinition {
  static constexpr About about{.id = "length-generalisation",
                               .version = "2.2",
                               .title = "Length generalisation",
                               .question = "Does a network that solves small instances of a task solve larger ones?",
                               .draws_contents = true,
                               .default_repeats = 3};

  Index smallest, largest, held_out;
  Measured test_positions;
  std::vector<double> size;
  static Axes<LengthGeneralisation> axes();

  static constexpr Measure<Size>
      loss =
          measured<Size>("loss", "loss at this size", "mean cross entropy over the tokens that count", "log V", "nat"),
      accuracy = measured<Size>("accuracy", "share of tokens that are said right",
                                "share of the tokens that count whose target has the largest logit; a decoder is fed "
                                "the right answer",
                                "chance"),
      exactly = measured<Size>("exact", "share of sequences that are said right as a whole",
                               "share of sequences all of whose tokens are right: for a decoder that of greedy "
                               "decoding, too",
                               "about 0"),
      chance{.name = "chance",
             .sentence = "accuracy of the best constant answer",
             .definition = "the task's page; NaN where it is not known",
             .null_value = "the same",
             .tolerance = relative(1e-9)},
      unordered{.name = "unordered",
                .sentence = "accuracy of the best guess that knows which tokens there are but not their order",
                .definition = "the task's page; NaN where it is not known",
                .null_value = "the same",
                .tolerance = relative(1e-9)},
      refused{.name = "refused",
              .sentence = "whether this size is beyond what the scheme can serve: it is then not measured",
              .definition = "1 if it is, else 0; NaN where the task has no instance of it",
              .null_value = "0",
              .tolerance = exact()};
  static constexpr Scalar accuracy_within = measured<>(
                              "accuracy_within", "mean accuracy over the sizes that it is trained on",
                              "mean of accuracy over those from `smallest` to `largest` that the task has; NaN where "
                              "one of them is refused",
                              "chance"),
                          accuracy_beyond = measured<>("accuracy_beyond", "mean accuracy over the sizes beyond",
                                                       "the same of those above `largest`", "chance"),
                          exact_within =
                              measured<>("exact_within", "mean share of whole sequences over the sizes trained on",
                                         "mean of exact", "about 0"),
                          exact_beyond =
                              measured<>("exact_beyond", "mean share of whole sequences beyond", "the same", "about 0");
  static constexpr std::tuple measures =
      std::tuple_cat(of_training::measures, std::tuple{loss, accuracy, exactly, chance, unordered, refused,
                                                       accuracy_within, accuracy_beyond, exact_within, exact_beyond});

  /// Positions of the tokens of the largest trained size.
  Index model_train_length() const override;
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  std::optional<base::Refusal> why_not_files(const Files& files) const override { return why_not_file(files, largest); }
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// Sizes from `smallest` to `largest`, those that the task has instances of.
  std::vector<Index> trained_sizes(const tasks::Task& of) const;
  /// Tokens of the largest of these; where the task is not known, for want of its file, `largest`.
  Index largest_tokens(const tasks::Task* of) const;
};

}  // namespace poslab::experiments::length_generalisation
