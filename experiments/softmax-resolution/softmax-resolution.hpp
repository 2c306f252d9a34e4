// SPDX-License-Identifier: Apache-2.0
// How far apart can attention to two neighbouring distances be when norms are bounded? Definitions:
// softmax-resolution.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::softmax_resolution {

using base::Index;

struct Bound {
  static constexpr InnerAxis dimension{"bound"};
};
struct Offset {
  static constexpr Dimension dimension{
      .name = "offset",
      .unit = "position",
      .sentence = "r: how far the nearer of two neighbouring keys lies before the query",
      .within = [] { return std::vector<std::string>{"length"}; }};
};

struct SoftmaxResolution final : Definition {
  static constexpr About about{
      .id = "softmax-resolution",
      .version = "1.0",
      .title = "Neighbours in a softmax",
      .question = "How far apart can attention to two neighbouring distances be when norms are bounded?",
      .draws_contents = true};

  Index length, contents;
  std::vector<double> bound;
  Dtype dtype;
  static Axes<SoftmaxResolution> axes();

  static constexpr data::Tolerance drawn{
      .absolute = 1e-11, .relative = 1e-11, .per_position = 1e-14, .statistical = true},
      drawn_in_float32{.absolute = 1e-4, .relative = 1e-3, .statistical = true},
      worked_out{.absolute = 1e-300, .relative = 1e-13};

  static constexpr Measure<Bound, Offset> gap{
      .name = "gap",
      .sentence = "largest gap of attention between distances r and r + 1",
      .definition =
          "max over contents and heads of |a(r) - a(r + 1)|; a the softmax of the last query's logits, every key the "
          "query's content",
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Bound> largest_gap{.name = "largest_gap",
                                              .sentence = "the largest of them at any distance",
                                              .definition = "max of gap over r",
                                              .null_value = "0",
                                              .tolerance = drawn,
                                              .float32 = drawn_in_float32};
  static constexpr Measure<Bound> least_attention{
      .name = "least_attention",
      .unit = "1/N",
      .sentence = "least attention that a key gets, times the number of keys",
      .definition = "N min a(r) over contents, heads and r",
      .null_value = "1",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Bound> most_attention{.name = "most_attention",
                                                 .unit = "1/N",
                                                 .sentence = "most attention that a key gets, times the number of keys",
                                                 .definition = "N max a(r) over the same",
                                                 .null_value = "1",
                                                 .tolerance = drawn,
                                                 .float32 = drawn_in_float32};
  static constexpr Measure<Bound> logit_range{.name = "logit_range",
                                              .unit = "nat",
                                              .sentence = "greatest less least logit of a query",
                                              .definition = "max over contents and heads of max s - min s",
                                              .null_value = "0",
                                              .tolerance = drawn,
                                              .float32 = drawn_in_float32};
  static constexpr Measure<Bound> gap_limit{
      .name = "gap_limit",
      .sentence =
          "no two keys are farther apart than this, whatever they carry; absent where the scheme does not keep norms",
      .definition = "(1 - exp(-2 delta / T)) / (1 + (N - 1) exp(-2 delta / T))",
      .null_value = "the same",
      .tolerance = worked_out};
  static constexpr Measure<Bound> least_limit{
      .name = "least_limit",
      .unit = "1/N",
      .sentence =
          "no key has less attention than this, whatever the keys carry, times their number; absent where the scheme "
          "does not keep norms",
      .definition = "N / (1 + (N - 1) exp(2 delta / T)), at least exp(-2 delta / T)",
      .null_value = "the same",
      .tolerance = worked_out};
  static constexpr std::tuple measures{gap,         largest_gap, least_attention, most_attention,
                                       logit_range, gap_limit,   least_limit};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
};

}  // namespace poslab::experiments::softmax_resolution
