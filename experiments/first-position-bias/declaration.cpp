// SPDX-License-Identifier: Apache-2.0
// What first-position-bias asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

// Of figures that depend on random contents: the same draws give the same number within the rounding of a softmax.
constexpr base::Tolerance drawn{1e-12, 0, 0, 0, true};

std::vector<base::AxisInfo> axes() {
  base::AxisInfo gain;
  gain.name = "query_gain";
  gain.sentence =
      "factor on the random query projections: 1 gives content logits of variance 1, 0 leaves mask and positions alone";
  gain.default_value = 1.0;
  gain.range = {0, 1e6};

  base::AxisInfo residual;
  residual.name = "residual";
  residual.kind = base::Kind::flag;
  residual.sentence = "whether a layer's output is added to its input, or replaces it";
  residual.default_value = true;

  base::AxisInfo sequences =
      integer_axis("sequences", 1000, 1, "sequences", "how many training sequences there are (exposure)");
  sequences.range.highest = 1e9;
  base::AxisInfo depth =
      inner_axis("depth", {1, 2, 3}, 1, "layers", "t: how many attention layers stand on each other");
  depth.range.highest = 1e4;

  return {length_axis(64),
          gain,
          residual,
          choice_axis("lengths", {"uniform", "log-normal"},
                      "how the lengths of training sequences are distributed, up to the length (exposure)"),
          sequences,
          dtype_axis(),
          depth};
}

std::vector<base::MeasureInfo> sink_measures() {
  const std::string uniform = "H_N/N of uniform causal attention", few = "0 where H_N/N is below 0.3";
  return {{"sink_share",
           {"depth"},
           "1",
           "mean attention on position 0 over the layers and heads of a stack of this depth",
           "D1: (1/(t H)) sum over layers l <= t and heads h of (1/N) sum_i A^(l,h)_i0",
           uniform,
           drawn},
          {"sink_share_none",
           {"depth"},
           "1",
           "sink_share of attention without positions on the same contents and projections",
           "sink_share of the scheme none",
           uniform,
           drawn},
          {"sink_share_mask",
           {},
           "1",
           "sink_share of the mask alone: all logits equal",
           "H_N/N = (1/N) sum_(i=1..N) 1/i",
           uniform,
           relative(1e-12)},
          {"sink_fraction",
           {"depth"},
           "1",
           "share of the heads of a stack of this depth that give position 0 more than 0.3",
           "D1: (1/(t H)) sum over layers l <= t and heads h of [(1/N) sum_i A^(l,h)_i0 > 0.3]",
           few,
           drawn},
          {"sink_fraction_none",
           {"depth"},
           "1",
           "sink_fraction of attention without positions on the same contents and projections",
           "sink_fraction of the scheme none",
           few,
           drawn}};
}

std::vector<base::MeasureInfo> context_measures() {
  const std::string closed = "F_t(N) of uniform causal attention: 1/N, H_N/N, ...";
  return {{"context_share",
           {"depth"},
           "1",
           "share of position 0 in the context of the last position after this many layers",
           "D2: F_t(N) = (A^(t) ... A^(1))_(N,1), each A averaged over heads",
           closed,
           drawn},
          {"context_share_none",
           {"depth"},
           "1",
           "context_share of attention without positions on the same contents and projections",
           "context_share of the scheme none",
           closed,
           drawn},
          {"context_share_mask",
           {"depth"},
           "1",
           "context_share of the mask alone: all logits equal",
           "(M^t)_(N,1) with M_ij = 1/i for j <= i",
           closed,
           relative(1e-12)},
          {"context_share_log_ratio",
           {"depth"},
           "nat",
           "log of context_share over that of the mask alone",
           "log(F_t(N) / (M^t)_(N,1))",
           "0 where all logits are equal",
           drawn}};
}

std::vector<base::MeasureInfo> exposure_measures() {
  const std::string same = "the same for every scheme";
  return {{"exposure",
           {"position"},
           "updates",
           "expected number of training sequences that reach a position, and so update its row in a learned table",
           "D6: sequences * P(length of a sequence > position)",
           same,
           relative(1e-12)},
          {"exposure_drawn",
           {"position"},
           "updates",
           "number of drawn training sequences that reach a position",
           "D6: sum over the drawn lengths of [length > position]",
           same,
           statistical()}};
}

}  // namespace

base::ExperimentInfo describe() {
  base::ExperimentInfo info;
  info.id = "first-position-bias";
  info.version = "1.0";
  info.title = "First-position bias";
  info.question = "Is position 0 favoured, and by whom: the mask or the scheme?";
  info.axes = axes();
  info.dimensions = {{"position", "position", "place in the sequence, from 0"}};
  info.draws_contents = true;
  for (const auto& group : {sink_measures(), context_measures(), exposure_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments::first_position_bias
