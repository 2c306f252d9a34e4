// SPDX-License-Identifier: Apache-2.0
// How likely does the farther of two keys get the higher logit? Definitions: order-inversion.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::order_inversion {

using base::Index;

struct Distance {
  static constexpr InnerAxis dimension{"distance"};
};

struct OrderInversion final : Definition {
  static constexpr About about{.id = "order-inversion",
                               .version = "1.0",
                               .title = "The farther key wins",
                               .question = "How likely does the farther of two keys get the higher logit?",
                               .draws_contents = true};

  Index length, contents;
  std::vector<double> distance;
  Dtype dtype;
  static Axes<OrderInversion> axes();

  static constexpr data::Tolerance drawn{.absolute = 1e-12, .statistical = true},
      drawn_in_float32{.absolute = 1e-2, .statistical = true};

  static constexpr const char* of_inversions =
      "mean of [s(r') > s(r)] + [s(r') = s(r)] / 2 over r' = r + 1 .. N - 1, contents and heads, the last query";
  static constexpr const char* of_errors =
      "standard deviation of the contents' own / sqrt(contents); NaN for one content";
  static constexpr Measure<Distance> inversion_random{
      .name = "inversion_random",
      .sentence = "probability that a farther key has the higher logit, for keys that are all drawn apart",
      .definition = of_inversions,
      .null_value = "1/2 but for chance",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> inversion_random_error{
      .name = "inversion_random_error",
      .sentence = "standard error of inversion_random, over the contents of one repeat",
      .definition = of_errors,
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> inversion_moved{
      .name = "inversion_moved",
      .sentence =
          "probability that a farther key has the higher logit, for one key at every position, drawn "
          "apart from the query",
      .definition = of_inversions,
      .null_value = "1/2",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> inversion_moved_error{
      .name = "inversion_moved_error",
      .sentence = "standard error of inversion_moved, over the contents of one repeat",
      .definition = of_errors,
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> inversion_equal{
      .name = "inversion_equal",
      .sentence =
          "probability that a farther key has the higher logit, for the query's own content as the key at "
          "every position",
      .definition = of_inversions,
      .null_value = "1/2",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> inversion_equal_error{
      .name = "inversion_equal_error",
      .sentence = "standard error of inversion_equal, over the contents of one repeat",
      .definition = of_errors,
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> relevance_flip{
      .name = "relevance_flip",
      .sentence = "probability that two keys change places between distance 0 and this one",
      .definition = "share of contents and heads in which s(q, a; r) - s(q, b; r) has another sign than at r = 0",
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Distance> relevance_flip_error{
      .name = "relevance_flip_error",
      .sentence = "standard error of relevance_flip, over the contents of one repeat",
      .definition = of_errors,
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr std::tuple measures{inversion_random, inversion_random_error, inversion_moved, inversion_moved_error,
                                       inversion_equal,  inversion_equal_error,  relevance_flip,  relevance_flip_error};

  Index model_train_length() const override { return length; }
  std::string why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
};

}  // namespace poslab::experiments::order_inversion
