// SPDX-License-Identifier: Apache-2.0
// Is position 0 favoured, and by whom: the mask or the scheme? Definitions: first-position-bias.md.
#pragma once

#include <tuple>

#include "exposure.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/experiment/joined.hpp"
#include "poslab/experiment/tested_answer.hpp"

namespace poslab::experiments::first_position_bias {

// For figures that depend on random contents: the same draws give the same number within the rounding of a softmax.
constexpr data::Tolerance drawn{.absolute = 1e-12, .statistical = true};
// In float32 a logit is rounded by some 6e-8 sqrt(D), the softmax and each layer pass that on.
constexpr data::Tolerance drawn_in_float32{.absolute = 1e-5, .relative = 1e-4, .statistical = true};

/// The share of position 0 by one of the two rollouts, beside those of the mask and of attention without positions.
struct ShareMeasures {
  Measure<Depth> scheme, none, mask, log_excess;
};
/// `name`, in words `of`; `formula` of a share, and `formula_of_mask`.
template <Words name, Words of, Words formula, Words formula_of_mask>
constexpr ShareMeasures share_measures() {
  return {.scheme = {.name = joined<name>,
                     .sentence =
                         joined<"share of position 0 in the context of the last position after this many layers, ", of>,
                     .definition = joined<formula, ", each A averaged over heads">,
                     .null_value = joined<name, "_none">,
                     .tolerance = drawn,
                     .float32 = drawn_in_float32},
          .none = {.name = joined<name, "_none">,
                   .sentence = joined<name, " of attention without positions on the same contents and projections">,
                   .definition = joined<name, " of the scheme none">,
                   .null_value = joined<"itself; ", name, "_mask where all logits are equal">,
                   .tolerance = drawn,
                   .float32 = drawn_in_float32},
          .mask = {.name = joined<name, "_mask">,
                   .sentence = joined<name, " of the mask alone: all logits equal">,
                   .definition = joined<formula_of_mask, " with M_ij = 1/(i + 1) for j <= i">,
                   .null_value = "itself",
                   .tolerance = relative(1e-12)},
          .log_excess = {
              .name = joined<name, "_log_excess">,
              .unit = "nat",
              .sentence = joined<"log of ", name, " over that without positions on the same contents and projections">,
              .definition = joined<"log(", name, " / ", name, "_none), paired by draw">,
              .null_value = "0",
              .tolerance = drawn,
              .float32 = data::Tolerance{.absolute = 1e-3, .relative = 1e-3, .statistical = true}}};
}

constexpr Measure<Depth> gradient(const char* name, const char* unit, const char* sentence, const char* definition,
                                  const char* null_value) {
  return {.name = name,
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-10, .statistical = true},
          .float32 = data::Tolerance{.absolute = 1e-4, .relative = 1e-3, .statistical = true}};
}

struct FirstPositionBias final : Definition, AnswersByTest {
  static constexpr About about{.id = "first-position-bias",
                               .version = "3.0",
                               .title = "First-position bias",
                               .question = "Is position 0 favoured, and by whom: the mask or the scheme?",
                               .draws_contents = true,
                               .default_repeats = 40};

  Index length, samples, sequences;
  double query_gain;
  bool residual;
  Lengths::Distribution lengths;
  Dtype dtype;
  std::vector<double> depth;
  static Axes<FirstPositionBias> axes();

  static constexpr Measure<Depth> sink_share{
      .name = "sink_share",
      .sentence = "mean attention on position 0 over the layers and heads of a stack of this depth",
      .definition = "(1/(t H)) sum over layers l <= t and heads h of (1/N) sum_i A^(l,h)_i0",
      .null_value = "sink_share_none",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Depth> sink_share_none{
      .name = "sink_share_none",
      .sentence = "sink_share of attention without positions on the same contents and projections",
      .definition = "sink_share of the scheme none",
      .null_value = "H_N/N of uniform causal attention",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Scalar sink_share_mask{.name = "sink_share_mask",
                                          .sentence = "sink_share of the mask alone: all logits equal",
                                          .definition = "H_N/N = (1/N) sum_(i=1..N) 1/i",
                                          .null_value = "H_N/N of uniform causal attention",
                                          .tolerance = relative(1e-12)};
  static constexpr ShareMeasures
      context_share = share_measures<"context_share", "by attention alone", "F_t(N) = (A^(t) ... A^(1))_(N-1, 0)",
                                     "(M^t)_(N-1, 0)">(),
      residual_context_share =
          share_measures<"residual_context_share", "by attention and residual paths, half and half",
                         "G_t(N) = (B^(t) ... B^(1))_(N-1, 0), B = (A + I)/2", "(((M + I)/2)^t)_(N-1, 0)">();
  static constexpr Measure<Head> decay{
      .name = "decay",
      .unit = "nat/position",
      .sentence =
          "how much the scheme takes from a head's logit for each position of distance, by the straight line "
          "that fits best; first layer, last query",
      .definition =
          "- sum_j (d_j - mean d)(c_j - mean c) / sum_j (d_j - mean d)^2, d_j = N - 1 - j, c_j the logit of "
          "the last query and key j less that without positions",
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Depth>
      gradient_share =
          gradient("gradient_share", "1", "how much the last position's output hangs on the first one's input",
                   "g_0 / sum_i g_i, g_i = |d <u, y_(N-1)> / d x_i|, u a random direction", "gradient_share_none"),
      gradient_share_none =
          gradient("gradient_share_none", "1",
                   "gradient_share of attention without positions on the same contents, projections and direction",
                   "gradient_share of the scheme none", "itself"),
      gradient_share_log_excess = gradient("gradient_share_log_excess", "nat",
                                           "log of gradient_share over that without positions on the same draws",
                                           "log(gradient_share / gradient_share_none), paired by draw", "0");
  static constexpr Measure<Place> exposure{
      .name = "exposure",
      .unit = "updates",
      .sentence =
          "expected number of training sequences that reach a position, and so update its row in a learned table",
      .definition = "sequences * P(length of a sequence > position)",
      .null_value = "the same for every scheme",
      .tolerance = relative(1e-12)};
  static constexpr Measure<Place> exposure_drawn{.name = "exposure_drawn",
                                                 .unit = "updates",
                                                 .sentence = "number of drawn training sequences that reach a position",
                                                 .definition = "sum over the drawn lengths of [length > position]",
                                                 .null_value = "the same for every scheme",
                                                 .tolerance = statistical()};
  static constexpr std::tuple measures{sink_share,
                                       sink_share_none,
                                       sink_share_mask,
                                       context_share.scheme,
                                       context_share.none,
                                       context_share.mask,
                                       context_share.log_excess,
                                       residual_context_share.scheme,
                                       residual_context_share.none,
                                       residual_context_share.mask,
                                       residual_context_share.log_excess,
                                       decay,
                                       gradient_share,
                                       gradient_share_none,
                                       gradient_share_log_excess,
                                       exposure,
                                       exposure_drawn};

  Index model_train_length() const override { return length; }
  Index scheme_layers() const override;
  bool takes_mixed() const override { return true; }
  bool takes_network() const override { return true; }
  std::optional<base::Refusal> why_not_network(const Setting& of, const data::Values& axes) const override;
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
  std::optional<TestedAnswer> tested(const Point& point) const override;
};

}  // namespace poslab::experiments::first_position_bias
