// SPDX-License-Identifier: Apache-2.0
// What first-position-bias asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

// Of figures that depend on random contents: the same draws give the same number within the rounding of a softmax.
constexpr data::Tolerance drawn{.absolute = 1e-12, .statistical = true};

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
  const std::string uniform = "H_N/N of uniform causal attention", few = "0 where H_N/N is below 0.3";
  return {
      {
          .name = "sink_share",
          .dimensions = {"depth"},
          .sentence = "mean attention on position 0 over the layers and heads of a stack of this depth",
          .definition = "D1: (1/(t H)) sum over layers l <= t and heads h of (1/N) sum_i A^(l,h)_i0",
          .null_value = uniform,
          .tolerance = drawn,
      },
      {
          .name = "sink_share_none",
          .dimensions = {"depth"},
          .sentence = "sink_share of attention without positions on the same contents and projections",
          .definition = "sink_share of the scheme none",
          .null_value = uniform,
          .tolerance = drawn,
      },
      {
          .name = "sink_share_mask",
          .sentence = "sink_share of the mask alone: all logits equal",
          .definition = "H_N/N = (1/N) sum_(i=1..N) 1/i",
          .null_value = uniform,
          .tolerance = relative(1e-12),
      },
      {
          .name = "sink_fraction",
          .dimensions = {"depth"},
          .sentence = "share of the heads of a stack of this depth that give position 0 more than 0.3",
          .definition = "D1: (1/(t H)) sum over layers l <= t and heads h of [(1/N) sum_i A^(l,h)_i0 > 0.3]",
          .null_value = few,
          .tolerance = drawn,
      },
      {
          .name = "sink_fraction_none",
          .dimensions = {"depth"},
          .sentence = "sink_fraction of attention without positions on the same contents and projections",
          .definition = "sink_fraction of the scheme none",
          .null_value = few,
          .tolerance = drawn,
      },
  };
}

std::vector<data::MeasureInfo> context_measures() {
  const std::string closed = "F_t(N) of uniform causal attention: 1/N, H_N/N, ...";
  return {
      {
          .name = "context_share",
          .dimensions = {"depth"},
          .sentence = "share of position 0 in the context of the last position after this many layers",
          .definition = "D2: F_t(N) = (A^(t) ... A^(1))_(N,1), each A averaged over heads",
          .null_value = closed,
          .tolerance = drawn,
      },
      {
          .name = "context_share_none",
          .dimensions = {"depth"},
          .sentence = "context_share of attention without positions on the same contents and projections",
          .definition = "context_share of the scheme none",
          .null_value = closed,
          .tolerance = drawn,
      },
      {
          .name = "context_share_mask",
          .dimensions = {"depth"},
          .sentence = "context_share of the mask alone: all logits equal",
          .definition = "(M^t)_(N,1) with M_ij = 1/i for j <= i",
          .null_value = closed,
          .tolerance = relative(1e-12),
      },
      {
          .name = "context_share_log_ratio",
          .dimensions = {"depth"},
          .unit = "nat",
          .sentence = "log of context_share over that of the mask alone",
          .definition = "log(F_t(N) / (M^t)_(N,1))",
          .null_value = "0 where all logits are equal",
          .tolerance = drawn,
      },
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
          .definition = "D6: sequences * P(length of a sequence > position)",
          .null_value = same,
          .tolerance = relative(1e-12),
      },
      {
          .name = "exposure_drawn",
          .dimensions = {"position"},
          .unit = "updates",
          .sentence = "number of drawn training sequences that reach a position",
          .definition = "D6: sum over the drawn lengths of [length > position]",
          .null_value = same,
          .tolerance = statistical(),
      },
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "first-position-bias";
  info.version = "1.0";
  info.title = "First-position bias";
  info.question = "Is position 0 favoured, and by whom: the mask or the scheme?";
  info.axes = axes();
  info.dimensions = {
      {.name = "position", .unit = "position", .sentence = "place in the sequence, from 0", .within = {"length"}}};
  info.draws_contents = true;
  for (const auto& group : {sink_measures(), context_measures(), exposure_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments::first_position_bias
