// SPDX-License-Identifier: Apache-2.0
// Is what a scheme adds to a logit the same for all contents? Definitions: content-independence.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::content_independence {

struct Offset {
  static constexpr Dimension dimension{.name = "offset",
                                       .unit = "position",
                                       .sentence = "how many tokens the key stands before the query",
                                       .within = [] { return std::vector<std::string>{"length"}; }};
};

struct ContentIndependence final : Definition {
  static constexpr About about{
      .id = "content-independence",
      .version = "2.0",
      .title = "Content independence",
      .question = "Is what a scheme adds to a logit the same for all contents, and if not, by how much does it differ?",
      .draws_contents = true};

  base::Index length, contents;
  Dtype dtype;
  static Axes<ContentIndependence> axes();

  // Differences of logits are rounded as logits are.
  static constexpr data::Tolerance rounding{.absolute = 1e-12}, float32_rounding{.absolute = 1e-5};

  static constexpr Scalar logit_size{.name = "logit_size",
                                     .unit = "nat",
                                     .sentence = "size of the logits with the scheme",
                                     .definition = "rms over contents, heads and pairs of s(m, n)",
                                     .null_value = "about 1",
                                     .tolerance = relative(1e-12),
                                     .float32 = relative(1e-4)};
  static constexpr Scalar size{
      .name = "size",
      .unit = "nat",
      .sentence = "size of what the scheme adds to logits",
      .definition = "rms over contents, heads and pairs of c(m, n) = s(m, n) - scale <x_m, y_n>",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding,
      .tolerance_unit = &logit_size};
  static constexpr Scalar content_spread{
      .name = "content_spread",
      .unit = "nat",
      .sentence = "how much of it differs between contents",
      .definition = "root of the mean over heads and pairs of the variance (C - 1) of c(m, n) over contents",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding,
      .tolerance_unit = &logit_size};
  static constexpr Scalar content_share{
      .name = "content_share",
      .sentence = "share of it that differs between contents; 1: its mean over contents is 0",
      .definition = "content_spread^2 / size^2, at most 1; 0 where nothing is added",
      .null_value = "0",
      .tolerance = absolute(1e-9),
      .float32 = absolute(1e-2)};
  static constexpr Measure<Offset> spread_by_offset{.name = "spread_by_offset",
                                                    .unit = "nat",
                                                    .sentence = "the same of the pairs at one offset",
                                                    .definition = "content_spread over the pairs with |m - n| = offset",
                                                    .null_value = "0",
                                                    .tolerance = rounding,
                                                    .float32 = float32_rounding,
                                                    .tolerance_unit = &logit_size};
  static constexpr Scalar curvature{
      .name = "curvature",
      .unit = "nat",
      .sentence = "how far what it adds is from linear in queries and in keys, as fixed codes and maps are",
      .definition =
          "rms of c(x + x', y) - c(x, y) - c(x', y) + c(0, y), and the same in y, which is the layer's input, too",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding,
      .tolerance_unit = &logit_size};
  static constexpr Scalar third_token{
      .name = "third_token",
      .unit = "nat",
      .sentence = "how much of what it adds to a pair of tokens depends on other tokens; from three tokens on",
      .definition =
          "rms of d(m, n) - mean over n of d(m, n), d = s(m, n) with the contents of the tokens k, k + 3, k + 6, "
          "... replaced - s(m, n), for k = 0, 1, 2, over the pairs of the other tokens; contents in pairs, one "
          "replaces the other",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding,
      .tolerance_unit = &logit_size};
  static constexpr std::tuple measures{logit_size,       size,      content_spread, content_share,
                                       spread_by_offset, curvature, third_token};

  base::Index model_train_length() const override { return length; }
  bool takes_network() const override { return true; }
  std::optional<base::Refusal> why_not_network(const experiments::Setting& of, const data::Values& axes) const override;
  std::optional<base::Refusal> why_skip(const experiments::Setting& of) const override;
  data::Estimate estimate(const experiments::Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::content_independence
