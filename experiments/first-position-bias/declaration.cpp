// SPDX-License-Identifier: Apache-2.0
// What first-position-bias asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

// Of figures that depend on random contents: the same draws give the same number within the rounding of a softmax.
constexpr data::Tolerance drawn{.absolute = 1e-12, .statistical = true};
// In float32 a logit is rounded by some 6e-8 sqrt(D), the softmax and each layer pass that on.
constexpr data::Tolerance drawn_in_float32{.absolute = 1e-5, .relative = 1e-4, .statistical = true};

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(64),
      Axis{
          .name = "query_gain",
          .default_value = 1.0,
          .range = {.lowest = 0, .highest = 1e6},
          .sentence = "factor on the random query projections: 1 gives content logits of variance 1, 0 leaves mask and "
                      "positions alone",
      },
      Axis{
          .name = "residual",
          .default_value = true,
          .sentence = "whether a layer's output is added to its input, or replaces it",
      },
      Axis{
          .name = "lengths",
          .choices = {"uniform", "log-normal"},
          .sentence = "how the lengths of training sequences are distributed, up to the length (exposure)",
      },
      Axis{
          .name = "sequences",
          .default_value = std::int64_t{1000},
          .range = {.lowest = 1, .highest = 1e9},
          .unit = "sequences",
          .sentence = "how many training sequences there are (exposure)",
      },
      dtype_axis(),
      Axis{
          .name = "depth",
          .default_value = std::vector<double>{1, 2, 3},
          .range = {.lowest = 1, .highest = 1e4},
          .unit = "layers",
          .sentence = "t: how many attention layers stand on each other",
      },
  };
}

std::vector<data::MeasureInfo> sink_measures() {
  const std::string uniform = "H_N/N of uniform causal attention";
  return {
      {
          .name = "sink_share",
          .dimensions = {"depth"},
          .sentence = "mean attention on position 0 over the layers and heads of a stack of this depth",
          .definition = "(1/(t H)) sum over layers l <= t and heads h of (1/N) sum_i A^(l,h)_i0",
          .null_value = uniform,
          .tolerance = drawn,
          .float32 = drawn_in_float32,
      },
      {
          .name = "sink_share_none",
          .dimensions = {"depth"},
          .sentence = "sink_share of attention without positions on the same contents and projections",
          .definition = "sink_share of the scheme none",
          .null_value = uniform,
          .tolerance = drawn,
          .float32 = drawn_in_float32,
      },
      {
          .name = "sink_share_mask",
          .sentence = "sink_share of the mask alone: all logits equal",
          .definition = "H_N/N = (1/N) sum_(i=1..N) 1/i",
          .null_value = uniform,
          .tolerance = relative(1e-12),
      },
  };
}

// Of one rollout: `name`, in words `of`, F the formula of a share and M that of the mask.
std::vector<data::MeasureInfo> share_measures(const std::string& name, const std::string& of, const std::string& F,
                                              const std::string& M) {
  return {
      {
          .name = name,
          .dimensions = {"depth"},
          .sentence = "share of position 0 in the context of the last position after this many layers, " + of,
          .definition = F + ", each A averaged over heads",
          .null_value = name + "_none",
          .tolerance = drawn,
          .float32 = drawn_in_float32,
      },
      {
          .name = name + "_none",
          .dimensions = {"depth"},
          .sentence = name + " of attention without positions on the same contents and projections",
          .definition = name + " of the scheme none",
          .null_value = "itself; " + name + "_mask where all logits are equal",
          .tolerance = drawn,
          .float32 = drawn_in_float32,
      },
      {
          .name = name + "_mask",
          .dimensions = {"depth"},
          .sentence = name + " of the mask alone: all logits equal",
          .definition = M + " with M_ij = 1/i for j <= i",
          .null_value = "itself",
          .tolerance = relative(1e-12),
      },
      {
          .name = name + "_log_excess",
          .dimensions = {"depth"},
          .unit = "nat",
          .sentence = "log of " + name + " over that without positions on the same contents and projections",
          .definition = "log(" + name + " / " + name + "_none), paired by draw",
          .null_value = "0",
          .tolerance = drawn,
          .float32 = data::Tolerance{.absolute = 1e-3, .relative = 1e-3, .statistical = true},
      },
  };
}

std::vector<data::MeasureInfo> context_measures() {
  std::vector<data::MeasureInfo> measures =
      share_measures("context_share", "by attention alone", "F_t(N) = (A^(t) ... A^(1))_(N-1, 0)", "(M^t)_(N-1, 0)");
  const auto residual =
      share_measures("residual_context_share", "by attention and residual paths, half and half",
                     "G_t(N) = (B^(t) ... B^(1))_(N-1, 0), B = (A + I)/2", "(((M + I)/2)^t)_(N-1, 0)");
  measures.insert(measures.end(), residual.begin(), residual.end());
  measures.push_back({
      .name = "decay",
      .dimensions = {"head"},
      .unit = "nat/position",
      .sentence = "how much the scheme takes from a head's logit for each position of distance, by the straight line "
                  "that fits best; first layer, last query",
      .definition = "- sum_j (d_j - mean d)(c_j - mean c) / sum_j (d_j - mean d)^2, d_j = N - 1 - j, c_j the logit of "
                    "the last query and key j less that without positions",
      .null_value = "0",
      .tolerance = drawn,
      .float32 = drawn_in_float32,
  });
  return measures;
}

std::vector<data::MeasureInfo> gradient_measures() {
  constexpr data::Tolerance derived{.absolute = 1e-10, .statistical = true};
  constexpr data::Tolerance derived_in_float32{.absolute = 1e-4, .relative = 1e-3, .statistical = true};
  const auto of_depth = [&](const char* name, const char* unit, const char* sentence, const char* definition,
                            const char* null_value) {
    return data::MeasureInfo{.name = name,
                             .dimensions = {"depth"},
                             .unit = unit,
                             .sentence = sentence,
                             .definition = definition,
                             .null_value = null_value,
                             .tolerance = derived,
                             .float32 = derived_in_float32};
  };
  return {
      of_depth("gradient_share", "1", "how much the last position's output hangs on the first one's input",
               "g_0 / sum_i g_i, g_i = |d <u, y_(N-1)> / d x_i|, u a random direction", "gradient_share_none"),
      of_depth("gradient_share_none", "1",
               "gradient_share of attention without positions on the same contents, projections and direction",
               "gradient_share of the scheme none", "itself"),
      of_depth("gradient_share_log_excess", "nat",
               "log of gradient_share over that without positions on the same draws",
               "log(gradient_share / gradient_share_none), paired by draw", "0"),
  };
}

std::vector<data::MeasureInfo> exposure_measures() {
  const std::string same = "the same for every scheme";
  return {
      {
          .name = "exposure",
          .dimensions = {"position"},
          .unit = "updates",
          .sentence =
              "expected number of training sequences that reach a position, and so update its row in a learned table",
          .definition = "sequences * P(length of a sequence > position)",
          .null_value = same,
          .tolerance = relative(1e-12),
      },
      {
          .name = "exposure_drawn",
          .dimensions = {"position"},
          .unit = "updates",
          .sentence = "number of drawn training sequences that reach a position",
          .definition = "sum over the drawn lengths of [length > position]",
          .null_value = same,
          .tolerance = statistical(),
      },
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "first-position-bias";
  info.version = "2.4";
  info.title = "First-position bias";
  info.question = "Is position 0 favoured, and by whom: the mask or the scheme?";
  info.axes = axes();
  info.dimensions = {
      {.name = "position", .unit = "position", .sentence = "place in the sequence, from 0", .within = {"length"}},
      {.name = "head", .unit = "1", .sentence = "head of attention, from 0", .within = {"heads"}}};
  info.draws_contents = true;
  for (const auto& group : {sink_measures(), context_measures(), gradient_measures(), exposure_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments::first_position_bias
