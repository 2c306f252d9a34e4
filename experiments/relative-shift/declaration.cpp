// SPDX-License-Identifier: Apache-2.0
// What relative-shift asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments {
namespace {

constexpr data::Tolerance rounding{.absolute = 1e-13, .per_position = 4e-16}, of_length{.per_length = 1e-12};
// Angles are worked out in double whatever the scalar type is, so float32 adds a constant.
// The largest position scores, which are rounded most, may be far above their rms, as xPos's are.
constexpr data::Tolerance in_float{.absolute = 2e-5, .per_position = 4e-16};
constexpr data::Tolerance scores_in_float{.absolute = 5e-5, .per_position = 4e-16};

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(),
      contents_axis(),
      dtype_axis(),
      Axis{
          .name = "shift",
          .default_value = std::vector<double>{1, 10, 100, 1000, 10000},
          .range = {.lowest = 0},
          .unit = "position",
          .sentence = "how far all positions are moved together; the length that the scheme is told stays N",
      },
      Axis{
          .name = "step",
          .default_value = std::vector<double>{1, 16, 256},
          .range = from_one,
          .unit = "position",
          .sentence = "k: from which code to which the linear map leads",
      },
  };
}

std::vector<data::MeasureInfo> content_measures() {
  return {
      {
          .name = "content_error",
          .dimensions = {"shift"},
          .sentence = "largest change of a logit when all positions move by the shift, less the mean over the keys of "
                      "its query, which softmax cancels, over the rms logit",
          .definition = "max |d(m, n) - mean over n of d(m, n)| / rms s, d(m, n) = s(x, y; m + shift, n + shift) - "
                        "s(x, y; m, n), over contents, heads and 64 x 64 positions m, n from 0; n <= m for a scheme "
                        "that serves a causal mask alone",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = in_float,
      },
      {
          .name = "content_error_rms",
          .dimensions = {"shift"},
          .sentence = "how much of what the scheme adds to a logit is another when all positions move by the shift: "
                      "sqrt 2 if it is unrelated to before",
          .definition = "sd (s(x, y; m + shift, n + shift) - s(x, y; m, n)) / sd (s(x, y; m, n) - scale <x, y>), sd "
                        "over the keys n of a query, root mean square over queries, heads and contents; 0 where the "
                        "first is no more than 64 roundings of the largest logit",
          .null_value = "0",
          .tolerance = absolute(1e-10),
          .float32 = absolute(2e-4),
      },
      {
          .name = "added",
          .sentence = "what the scheme adds to the logits of contents, over these logits",
          .definition = "sd (s(x, y; m, n) - scale <x, y>) / sd (scale <x, y>), sd as in content_error_rms",
          .null_value = "0",
          .tolerance = {.absolute = 1e-14, .relative = 1e-12},
          .float32 = {{.absolute = 1e-6, .relative = 1e-5}},
      },
      {
          .name = "future_error",
          .sentence = "largest change of a logit that a causal mask shows when the last token becomes another, less "
                      "the mean over the keys of its query, over the rms logit; of schemes that score",
          .definition = "max |d(m, n) - mean over n <= m of d(m, n)| / rms s, d(m, n) = s(m, n) with the content of "
                        "token 0 at M - 1 - s(m, n), over contents, heads, m < M - 1, n <= m",
          .null_value = "absent",
          .tolerance = rounding,
          .float32 = in_float,
      },
  };
}

std::vector<data::MeasureInfo> position_measures() {
  return {
      {
          .name = "position_error",
          .dimensions = {"shift"},
          .sentence = "largest change of a position score when all positions move by the shift, less the mean over the "
                      "keys of its query, over the rms position score",
          .definition = "max |d(m, n) - mean over n of d(m, n)| / rms P, d(m, n) = P_h(m + shift, n + shift) - "
                        "P_h(m, n), over heads and the pairs of at most 128 tokens spread evenly over the sequence",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = scores_in_float,
      },
      {
          .name = "position_spread",
          .dimensions = {"offset"},
          .sentence = "how much the position score varies among pairs of one offset",
          .definition =
              "max over heads of (max - min of P_h(m, n) along m - n = offset), all pairs; beyond 4096 positions, "
              "where every code is certified to rotate, those of 64 positions with all",
          .null_value = "0",
          .tolerance = of_length,
          .float32 = scores_in_float,
          .tolerance_unit = "position_score_rms",
      },
      {
          .name = "toeplitz_residual",
          .sentence = "how much the position score varies among pairs of one offset, at worst",
          .definition = "max over offsets of position_spread",
          .null_value = "0",
          .tolerance = of_length,
          .float32 = scores_in_float,
          .tolerance_unit = "position_score_rms",
      },
      {
          .name = "toeplitz_residual_relative",
          .sentence = "toeplitz_residual over the rms position score",
          .definition = "toeplitz_residual / sqrt(mean over h, m, n of P_h(m, n)^2)",
          .null_value = "0",
          .tolerance = of_length,
          .float32 = scores_in_float,
      },
      {
          .name = "toeplitz_residual_attended",
          .sentence = "the same of the scores that a query gives to the keys it sees, less that to its own token: what "
                      "is the same for all keys of a query, softmax cancels",
          .definition = "max over heads and offsets of (max - min of P_h(m, n) - P_h(m, m) along m - n = offset), over "
                        "rms P; of at most 128 queries, spread evenly, with all keys, if P_h(m, m) is not the same for "
                        "all m",
          .null_value = "0",
          .tolerance = of_length,
          .float32 = scores_in_float,
      },
      {
          .name = "position_score_rms",
          .sentence = "root-mean-square position score",
          .definition = "sqrt(mean over h, m, n of P_h(m, n)^2)",
          .null_value = "K",
          .tolerance = relative(1e-12),
          .float32 = relative(1e-5),
      },
  };
}

std::vector<data::MeasureInfo> share_measures() {
  return {
      {
          .name = "share_content",
          .sentence = "share of the content in the variance of an additive scheme's logits among the keys of a query",
          .definition = "V(<x, y>) / (V(<x, y>) + V(<x, q> + <p, y>) + V(<p, q>)), V the variance over the keys of a "
                        "query, mean over queries, heads and contents",
          .null_value = "1",
          .tolerance = statistical(),
      },
      {
          .name = "share_cross",
          .sentence = "share of content against position in the variance of an additive scheme's logits among the keys "
                      "of a query",
          .definition = "V(<x, q> + <p, y>) / (sum of the three), V as in share_content",
          .null_value = "0",
          .tolerance = statistical(),
      },
      {
          .name = "share_position",
          .sentence = "share of position against position in the variance of an additive scheme's logits among the "
                      "keys of a query",
          .definition = "V(<p, q>) / (sum of the three), V as in share_content",
          .null_value = "0",
          .tolerance = statistical(),
      },
  };
}

std::vector<data::MeasureInfo> map_measures() {
  return {
      {
          .name = "linear_map_residual",
          .dimensions = {"step"},
          .sentence = "what the best linear map from each code to the one k further leaves over",
          .definition =
              "norm(phi(p + k) - M_k phi(p)) / norm(phi(p + k)) over odd p, M_k the minimum-norm least squares "
              "of even p, rcond 1e-12",
          .null_value = "skipped",
          .tolerance = absolute(1e-10),
          .float32 = absolute(2e-6),
      },
      {
          .name = "composition_error",
          .sentence = "how far rotation by n and back by m is from rotation by n - m",
          .definition = "max norm(T_m^T T_n x - T_(n-m) x) / norm(x) over contents, heads and 32 x 32 positions m <= n",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = in_float,
      },
  };
}

}  // namespace

data::ExperimentInfo describe_relative_shift() {
  data::ExperimentInfo info;
  info.id = "relative-shift";
  info.version = "3.0";
  info.title = "Relative shift";
  info.question = "Do attention scores depend on positions through m - n only?";
  info.axes = axes();
  info.draws_contents = true;
  info.dimensions = {{.name = "offset",
                      .unit = "position",
                      .sentence = "m - n, query position minus key position",
                      .within = {"length"}}};
  for (const auto& group : {content_measures(), position_measures(), share_measures(), map_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments
