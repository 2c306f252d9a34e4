// SPDX-License-Identifier: Apache-2.0
// Do scores depend on m - n only? Definitions: relative-shift.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::relative_shift {

struct Shift {
  static constexpr InnerAxis dimension{"shift"};
};
struct Step {
  static constexpr InnerAxis dimension{"step"};
};
struct Offset {
  static constexpr Dimension dimension{
      .name = "offset", .unit = "position", .sentence = "m - n, query position minus key position", .within = [] {
        return std::vector<std::string>{"length"};
      }};
};

constexpr base::Index window_tokens = 64;  // whose logits of contents are looked at

struct RelativeShift final : Definition {
  static constexpr About about{.id = "relative-shift",
                               .version = "3.2",
                               .title = "Relative shift",
                               .question = "Do attention scores depend on positions through m - n only?",
                               .draws_contents = true};

  base::Index length, contents;
  Dtype dtype;
  std::vector<double> shift, step;
  static Axes<RelativeShift> axes();

  static constexpr data::Tolerance rounding{.absolute = 1e-13, .per_position = 4e-16}, of_length{.per_length = 1e-12};
  // Angles are computed in double whatever the scalar type is, so float32 adds a constant.
  // The largest position scores, which are rounded most, may be far above their rms, as xPos's are.
  static constexpr data::Tolerance in_float{.absolute = 2e-5, .per_position = 4e-16},
      scores_in_float{.absolute = 5e-5, .per_position = 4e-16};

  static constexpr Scalar position_score_rms{.name = "position_score_rms",
                                             .sentence = "root-mean-square position score",
                                             .definition =
                                                 "sqrt(mean over h, m, n of P_h(m, n)^2); n <= m for a scheme that "
                                                 "serves a causal mask alone",
                                             .null_value = "K",
                                             .tolerance = relative(1e-12),
                                             .float32 = relative(1e-5)};
  static constexpr Measure<Shift> content_error{
      .name = "content_error",
      .sentence =
          "largest change of a logit when all positions move by the shift, less the mean over the keys of "
          "its query, which softmax cancels, over the rms logit",
      .definition =
          "max |d(m, n) - mean over n of d(m, n)| / rms s, d(m, n) = s(x, y; m + shift, n + shift) - "
          "s(x, y; m, n), over contents, heads and 64 x 64 positions m, n from 0; n <= m for a scheme "
          "that serves a causal mask alone",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = in_float};
  static constexpr Measure<Shift> content_error_rms{
      .name = "content_error_rms",
      .sentence =
          "how much of what the scheme adds to a logit is another when all positions move by the shift: "
          "sqrt 2 if it is unrelated to before",
      .definition =
          "sd (s(x, y; m + shift, n + shift) - s(x, y; m, n)) / sd (s(x, y; m, n) - scale <x, y>), sd "
          "over the keys n of a query, root mean square over queries, heads and contents; 0 where the "
          "first is no more than 64 roundings of the largest logit",
      .null_value = "0",
      .tolerance = absolute(1e-10),
      .float32 = absolute(2e-4)};
  static constexpr Scalar added{
      .name = "added",
      .sentence = "what the scheme adds to the logits of contents, over these logits",
      .definition = "sd (s(x, y; m, n) - scale <x, y>) / sd (scale <x, y>), sd as in content_error_rms",
      .null_value = "0",
      .tolerance = {.absolute = 1e-14, .relative = 1e-12},
      .float32 = data::Tolerance{.absolute = 1e-6, .relative = 1e-5}};
  static constexpr Scalar future_error{
      .name = "future_error",
      .sentence =
          "largest change of a logit that a causal mask shows when the last token becomes another, less "
          "the mean over the keys of its query, over the rms logit; of schemes that score",
      .definition =
          "max |d(m, n) - mean over n <= m of d(m, n)| / rms s, d(m, n) = s(m, n) with the content of "
          "token 0 at M - 1 - s(m, n), over contents, heads, m < M - 1, n <= m",
      .null_value = "absent",
      .tolerance = rounding,
      .float32 = in_float};
  static constexpr Measure<Shift> position_error{
      .name = "position_error",
      .sentence =
          "largest change of a position score when all positions move by the shift, less the mean over the "
          "keys of its query, over the rms position score",
      .definition =
          "max |d(m, n) - mean over n of d(m, n)| / rms P, d(m, n) = P_h(m + shift, n + shift) - "
          "P_h(m, n), over heads and the pairs of at most 128 tokens spread evenly over the sequence; n <= m "
          "for a scheme that serves a causal mask alone",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = scores_in_float};
  static constexpr Measure<Offset> position_spread{
      .name = "position_spread",
      .sentence = "how much the position score varies among pairs of one offset",
      .definition =
          "max over heads of (max - min of P_h(m, n) along m - n = offset), all pairs, NaN where a scheme serves a "
          "causal mask alone and it hides them all; beyond 4096 positions, where every code is certified to rotate, "
          "the pairs of 64 positions with all",
      .null_value = "0",
      .tolerance = of_length,
      .float32 = scores_in_float,
      .tolerance_unit = &position_score_rms};
  static constexpr Scalar toeplitz_residual{
      .name = "toeplitz_residual",
      .sentence = "how much the position score varies among pairs of one offset, at worst",
      .definition = "max over offsets of position_spread",
      .null_value = "0",
      .tolerance = of_length,
      .float32 = scores_in_float,
      .tolerance_unit = &position_score_rms};
  static constexpr Scalar toeplitz_residual_relative{.name = "toeplitz_residual_relative",
                                                     .sentence = "toeplitz_residual over the rms position score",
                                                     .definition = "toeplitz_residual / position_score_rms",
                                                     .null_value = "0",
                                                     .tolerance = of_length,
                                                     .float32 = scores_in_float};
  static constexpr Scalar toeplitz_residual_attended{
      .name = "toeplitz_residual_attended",
      .sentence =
          "the same of the scores that a query gives to the keys it sees, less that to its own token: what "
          "is the same for all keys of a query, softmax cancels",
      .definition =
          "max over heads and offsets of (max - min of P_h(m, n) - P_h(m, m) along m - n = offset), over "
          "rms P; of at most 128 queries, spread evenly, with all keys, if P_h(m, m) is not the same for "
          "all m",
      .null_value = "0",
      .tolerance = of_length,
      .float32 = scores_in_float};
  static constexpr Scalar share_content{
      .name = "share_content",
      .sentence = "share of the content in the variance of an additive scheme's logits among the keys of a query",
      .definition =
          "V(<x, y>) / (V(<x, y>) + V(<x, q> + <p, y>) + V(<p, q>)), V the variance over the keys of a "
          "query, mean over queries, heads and contents",
      .null_value = "1",
      .tolerance = statistical()};
  static constexpr Scalar share_cross{
      .name = "share_cross",
      .sentence =
          "share of content against position in the variance of an additive scheme's logits among the keys "
          "of a query",
      .definition = "V(<x, q> + <p, y>) / (sum of the three), V as in share_content",
      .null_value = "0",
      .tolerance = statistical()};
  static constexpr Scalar share_position{
      .name = "share_position",
      .sentence =
          "share of position against position in the variance of an additive scheme's logits among the "
          "keys of a query",
      .definition = "V(<p, q>) / (sum of the three), V as in share_content",
      .null_value = "0",
      .tolerance = statistical()};
  static constexpr Measure<Step> linear_map_residual{
      .name = "linear_map_residual",
      .sentence = "what the best linear map from each code to the one k further leaves over",
      .definition =
          "norm(phi(p + k) - M_k phi(p)) / norm(phi(p + k)) over odd p, M_k the minimum-norm least squares "
          "of even p, rcond 1e-12",
      .null_value = "skipped",
      .tolerance = absolute(1e-10),
      .float32 = absolute(2e-6)};
  static constexpr Scalar composition_error{
      .name = "composition_error",
      .sentence = "how far rotation by n and back by m is from rotation by n - m",
      .definition = "max norm(T_m^T T_n x - T_(n-m) x) / norm(x) over contents, heads and 32 x 32 positions m <= n",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = in_float};
  static constexpr std::tuple measures{content_error,
                                       content_error_rms,
                                       added,
                                       future_error,
                                       position_error,
                                       position_spread,
                                       toeplitz_residual,
                                       toeplitz_residual_relative,
                                       toeplitz_residual_attended,
                                       position_score_rms,
                                       share_content,
                                       share_cross,
                                       share_position,
                                       linear_map_residual,
                                       composition_error};

  base::Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const experiments::Setting& of) const override;
  data::Estimate estimate(const experiments::Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::relative_shift
