// SPDX-License-Identifier: Apache-2.0
// Can a linear probe read the position off its code? Definitions: decodability.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::decodability {

using base::Index;

// Where a prediction lies a rounding error from one half, or a logit from 0, one held-out row changes sides: a few of
// them, of some hundred.
constexpr data::Tolerance few_rows(double of_one) { return {.absolute = of_one, .statistical = true}; }

struct Decodability final : Definition {
  static constexpr About about{
      .id = "decodability",
      .version = "1.1",
      .title = "Decodability",
      .question = "Can a linear probe read the position, and which of two positions comes first, off the codes?",
      .draws_contents = true};

  Index length, pairs, folds;
  Dtype dtype;
  static Axes<Decodability> axes();

  static constexpr Scalar position_error{
      .name = "position_error",
      .unit = "position",
      .sentence = "how far the position that least squares read off a held-out code is from its own, on average",
      .definition = "mean over folds of mean |round(<w, e(n)> + b) - n|, w and b of least squares on the other folds",
      .null_value = "position_error_chance",
      .tolerance = few_rows(0.05)},
      position_error_chance{
          .name = "position_error_chance",
          .unit = "position",
          .sentence =
              "the same for a probe that knows no code: it says the mean of the positions that it was fitted to",
          .definition = "mean over folds of mean |round(mean of the others) - n|, about N / 4",
          .null_value = "about N / 4",
          .tolerance = {.absolute = 1e-9, .statistical = true}},
      position_residual{.name = "position_residual",
                        .unit = "position",
                        .sentence = "the farthest that a prediction is from its position, before it is rounded",
                        .definition = "max over all held-out rows of |<w, e(n)> + b - n|",
                        .null_value = "about N / 2",
                        .tolerance = statistical()},
      rank{.name = "rank",
           .sentence = "directions in which the codes that were fitted to differ",
           .definition = "singular values of the centred rows above rounding (of the scalar type), least over folds",
           .null_value = "0",
           .tolerance = {.absolute = 3, .statistical = true}},
      order_error{
          .name = "order_error",
          .sentence =
              "share of held-out pairs of which logistic regression says wrongly whether the second comes later",
          .definition = "mean over folds of the share of pairs (m, n) with (<u, e(m)> + <v, e(n)> + c > 0) != (n > m)",
          .null_value = "order_error_chance",
          .tolerance = few_rows(0.01)},
      order_error_chance{
          .name = "order_error_chance",
          .sentence = "the same for a probe that knows no code: it says what is commoner among the pairs fitted to",
          .definition = "mean over folds of the share of pairs that are not of the kind commoner in the others",
          .null_value = "about 1/2",
          .tolerance = {.absolute = 1e-12, .statistical = true}};
  static constexpr std::tuple measures{position_error, position_error_chance, position_residual,
                                       rank,           order_error,           order_error_chance};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// How many there are to draw.
  Index drawn_pairs() const {
    return length > pairs ? pairs : std::min(pairs, length * length);  // N^2 may be more than an Index holds
  }
};

}  // namespace poslab::experiments::decodability
