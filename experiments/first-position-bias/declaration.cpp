// SPDX-License-Identifier: Apache-2.0
// What first-position-bias declares of itself: axes and measures.
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

base::AxisInfo integer(std::string name, std::string unit, std::int64_t value, double lowest, double highest,
                       std::string sentence) {
  base::AxisInfo axis;
  axis.name = std::move(name);
  axis.kind = base::Kind::integer;
  axis.unit = std::move(unit);
  axis.sentence = std::move(sentence);
  axis.default_value = value;
  axis.range = {lowest, highest};
  return axis;
}

base::AxisInfo choice(std::string name, std::vector<std::string> choices, std::string sentence) {
  base::AxisInfo axis;
  axis.name = std::move(name);
  axis.kind = base::Kind::choice;
  axis.sentence = std::move(sentence);
  axis.default_value = choices.front();
  axis.choices = std::move(choices);
  return axis;
}

std::vector<base::AxisInfo> axes() {
  base::AxisInfo depth;
  depth.name = "depth";
  depth.kind = base::Kind::list;
  depth.unit = "layers";
  depth.sentence = "how many attention layers stand on each other";
  depth.default_value = std::vector<double>{1, 2, 3};
  depth.range = {1, 256};
  depth.inner = true;

  base::AxisInfo gain;
  gain.name = "query_gain";
  gain.kind = base::Kind::real;
  gain.sentence =
      "factor on the random query projections: 1 gives content logits of variance 1, 0 leaves mask and positions alone";
  gain.default_value = 1.0;
  gain.range = {0, 1e3};

  base::AxisInfo residual;
  residual.name = "residual";
  residual.kind = base::Kind::flag;
  residual.sentence = "whether a layer's output is added to its input, or replaces it";
  residual.default_value = true;

  return {integer("length", "positions", 64, 1, 65536, "length of the sequence"),
          gain,
          residual,
          choice("lengths", {"uniform", "log-normal"},
                 "distribution of the training sequences' lengths, up to the length (exposure)"),
          integer("sequences", "sequences", 1000, 1, 1e8, "training sequences (exposure)"),
          choice("dtype", {"float64", "float32"}, "arithmetic of the stack"),
          depth};
}

base::MeasureInfo measure(std::string name, std::string dimension, std::string unit, std::string null_value,
                          base::Tolerance tolerance, std::string sentence, std::string definition) {
  base::MeasureInfo info;
  info.name = std::move(name);
  if (!dimension.empty()) info.dimensions = {std::move(dimension)};
  info.unit = std::move(unit);
  info.null_value = std::move(null_value);
  info.tolerance = tolerance;
  info.sentence = std::move(sentence);
  info.definition = std::move(definition);
  return info;
}

std::vector<base::MeasureInfo> sink_measures() {
  const base::Tolerance drawn{1e-12, 0, 0, 0, true}, exact{0, 1e-12};
  const std::string uniform = "H_N / N of uniform causal attention";
  return {measure("sink_share", "depth", "1", uniform, drawn,
                  "mean attention on position 0, over the layers and heads of a stack of this depth (D1)",
                  "(1 / (t H)) sum_(l <= t) sum_h (1/N) sum_i A^(l,h)_i0"),
          measure("sink_share_none", "depth", "1", uniform, drawn,
                  "sink_share of attention without positions, on the same contents and projections",
                  "sink_share of the scheme none"),
          measure("sink_share_mask", "", "1", uniform, exact, "sink_share of the mask alone, all logits equal",
                  "H_N / N = (1/N) sum_(i=1..N) 1/i"),
          measure("sink_fraction", "depth", "1", "0 where H_N / N < 0.3", drawn,
                  "share of the heads of a stack of this depth that give position 0 more than 0.3",
                  "(1 / (t H)) sum_(l <= t) sum_h [ (1/N) sum_i A^(l,h)_i0 > 0.3 ]"),
          measure("sink_fraction_none", "depth", "1", "0 where H_N / N < 0.3", drawn,
                  "sink_fraction of attention without positions, on the same contents and projections",
                  "sink_fraction of the scheme none")};
}

std::vector<base::MeasureInfo> context_measures() {
  const base::Tolerance drawn{1e-12, 0, 0, 0, true}, exact{0, 1e-12};
  const std::string closed = "F_t(N) of uniform causal attention: 1/N, H_N/N, ...";
  return {measure("context_share", "depth", "1", closed, drawn,
                  "share of position 0 in the context of the last position after this many layers (D2)",
                  "F_t(N) = (A^(t) ... A^(1))_(N,1), each A averaged over heads"),
          measure("context_share_none", "depth", "1", closed, drawn,
                  "context_share of attention without positions, on the same contents and projections",
                  "context_share of the scheme none"),
          measure("context_share_mask", "depth", "1", closed, exact,
                  "context_share of the mask alone, all logits equal", "(M^t)_(N,1) with M_ij = 1/i for j <= i"),
          measure("context_share_log_ratio", "depth", "nat", "0 for equal logits", drawn,
                  "log of context_share over that of the mask alone", "log(F_t(N) / (M^t)_(N,1))")};
}

std::vector<base::MeasureInfo> exposure_measures() {
  const base::Tolerance exact{0, 1e-12}, drawn{0, 0, 0, 0, true};
  return {
      measure("exposure", "position", "updates", "the same for every scheme", exact,
              "expected number of training sequences that reach a position, and update its row in a learned table (D6)",
              "sequences * P(sequence length > position)"),
      measure("exposure_drawn", "position", "updates", "the same for every scheme", drawn,
              "number of drawn training sequences that reach a position",
              "sum over drawn lengths of [length > position]")};
}

}  // namespace

base::ExperimentInfo info() {
  base::ExperimentInfo info;
  info.id = "first-position-bias";
  info.version = "1.0";
  info.title = "First-position bias";
  info.question = "Is position 0 favoured, and by whom: the mask or the scheme?";
  info.axes = axes();
  info.dimensions = {{"position", "position", "index of a position in the sequence"}};
  info.draws_contents = true;
  for (const auto& group : {sink_measures(), context_measures(), exposure_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments::first_position_bias
