// SPDX-License-Identifier: Apache-2.0
// What decodability asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::decodability {
namespace {

// Where a prediction lies a rounding error from one half, or a logit from 0, one held-out row changes sides: a few of
// them, of some hundred.
data::Tolerance few_rows(double of_one) { return {.absolute = of_one, .statistical = true}; }

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "decodability";
  info.version = "1.1";
  info.title = "Decodability";
  info.question = "Can a linear probe read the position, and which of two positions comes first, off the codes?";
  info.axes = {
      length_axis(),
      Axis{
          .name = "pairs",
          .default_value = std::int64_t{512},
          .range = {.lowest = 2, .highest = 8192},
          .sentence = "P: how many ordered pairs of positions are drawn; at most all N^2 that there are",
      },
      Axis{
          .name = "folds",
          .default_value = std::int64_t{5},
          .range = {.lowest = 2, .highest = 1024},
          .sentence = "into how many parts rows and pairs are cut, each held out once",
      },
      dtype_axis(),
  };
  info.draws_contents = true;
  info.measures = {
      {
          .name = "position_error",
          .unit = "position",
          .sentence = "how far the position that least squares read off a held-out code is from its own, on average",
          .definition =
              "mean over folds of mean |round(<w, e(n)> + b) - n|, w and b of least squares on the other folds",
          .null_value = "position_error_chance",
          .tolerance = few_rows(0.05),
      },
      {
          .name = "position_error_chance",
          .unit = "position",
          .sentence =
              "the same for a probe that knows no code: it says the mean of the positions that it was fitted to",
          .definition = "mean over folds of mean |round(mean of the others) - n|, about N / 4",
          .null_value = "about N / 4",
          .tolerance = {.absolute = 1e-9, .statistical = true},
      },
      {
          .name = "position_residual",
          .unit = "position",
          .sentence = "the farthest that a prediction is from its position, before it is rounded",
          .definition = "max over all held-out rows of |<w, e(n)> + b - n|",
          .null_value = "about N / 2",
          .tolerance = statistical(),
      },
      {
          .name = "rank",
          .sentence = "directions in which the codes that were fitted to differ",
          .definition = "singular values of the centred rows above rounding (of the scalar type), least over folds",
          .null_value = "0",
          .tolerance = {.absolute = 3, .statistical = true},
      },
      {
          .name = "order_error",
          .sentence =
              "share of held-out pairs of which logistic regression says wrongly whether the second comes later",
          .definition = "mean over folds of the share of pairs (m, n) with (<u, e(m)> + <v, e(n)> + c > 0) != (n > m)",
          .null_value = "order_error_chance",
          .tolerance = few_rows(0.01),
      },
      {
          .name = "order_error_chance",
          .sentence = "the same for a probe that knows no code: it says what is commoner among the pairs fitted to",
          .definition = "mean over folds of the share of pairs that are not of the kind commoner in the others",
          .null_value = "about 1/2",
          .tolerance = {.absolute = 1e-12, .statistical = true},
      },
  };
  return info;
}

}  // namespace poslab::experiments::decodability
