// SPDX-License-Identifier: Apache-2.0
// What uniqueness asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments {
namespace {

// A distance is a difference of codes: its rounding is that of their norm. In float32 last bits decide which of two
// nearly equal distances is smaller, and who collides.
constexpr data::Tolerance of_distance{.absolute = 1e-13, .relative = 1e-12}, of_distance_in_float{.absolute = 1e-6};
constexpr data::Tolerance decided_by_rounding{.statistical = true};

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(),
      Axis{
          .name = "kind",
          .choices = {"natural", "position", "offset"},
          .sentence = "whose codes: those of positions, those of offsets, or those that the scheme works with",
      },
      Axis{
          .name = "offsets",
          .choices = {"causal", "both"},
          .sentence = "which offsets: 0 to N - 1 (the query last), or both signs (the query in the middle)",
      },
      contents_axis(),
      dtype_axis(),
      Axis{
          .name = "search",
          .choices = {"exact", "sampled"},
          .sentence = "whether all codes are held against all others, or so many samples against all",
      },
      Axis{
          .name = "samples",
          .default_value = std::int64_t{256},
          .range = from_one,
          .unit = "codes",
          .sentence = "search sampled: how many codes are held against all",
      },
  };
}

std::vector<data::MeasureInfo> closest_measures() {
  return {
      {
          .name = "min_distance",
          .sentence = "distance of the two nearest codes",
          .definition = "min over p < q of |phi(p) - phi(q)|",
          .null_value = "0",
          .tolerance = of_distance,
          .float32 = of_distance_in_float,
          .tolerance_unit = "norm",
      },
      {
          .name = "min_distance_nats",
          .unit = "nat",
          .sentence = "how far the logits of the two nearest offsets are apart in a head",
          .definition = "min_distance / sqrt(H), kind offset, no mix: the rms over heads of the difference in a logit "
                        "(for contents of unit variance, where it depends on them)",
          .null_value = "0",
          .tolerance = of_distance,
          .float32 = of_distance_in_float,
          .tolerance_unit = "norm",
      },
      {
          .name = "norm",
          .sentence = "root-mean-square norm of a code",
          .definition = "sqrt(mean over p of |phi(p)|^2)",
          .null_value = "0",
          .tolerance = relative(1e-13),
          .float32 = relative(1e-6),
      },
      {
          .name = "closest_first",
          .unit = "position",
          .sentence = "the first of the two nearest codes",
          .definition = "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: p",
          .null_value = "0",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
      {
          .name = "closest_second",
          .unit = "position",
          .sentence = "the second of the two nearest codes",
          .definition = "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: q",
          .null_value = "1",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
      {
          .name = "relative_margin",
          .sentence = "distance of the two nearest codes over the norm of a code",
          .definition = "min_distance / sqrt(mean over p of |phi(p)|^2)",
          .null_value = "0",
          .tolerance = absolute(1e-12),
          .float32 = absolute(1e-6),
      },
  };
}

std::vector<data::MeasureInfo> distinct_measures() {
  return {
      {
          .name = "collisions",
          .unit = "pairs",
          .sentence = "pairs of positions whose codes cannot be told apart",
          .definition = "number of pairs p < q with |phi(p) - phi(q)| <= 1e-9 max(|phi(p)|, |phi(q)|)",
          .null_value = "N(N-1)/2",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
      {
          .name = "distinct",
          .unit = "classes",
          .sentence = "how many different codes there are",
          .definition = "connected components of the relation that collisions counts",
          .null_value = "1",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
      {
          .name = "distinct_float32",
          .unit = "codes",
          .sentence = "how many different codes there are, stored as float32",
          .definition = "different rows of float32(phi)",
          .null_value = "1",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
      {
          .name = "distinct_bfloat16",
          .unit = "codes",
          .sentence = "how many different codes there are, stored as bfloat16",
          .definition = "different rows of bfloat16(float32(phi)), ties to even",
          .null_value = "1",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
  };
}

std::vector<data::MeasureInfo> nearest_measures() {
  return {
      {
          .name = "nearest_distance",
          .dimensions = {"position"},
          .sentence = "distance of each code to the nearest other",
          .definition = "min over q != p of |phi(p) - phi(q)|",
          .null_value = "0",
          .tolerance = of_distance,
          .float32 = of_distance_in_float,
          .tolerance_unit = "norm",
      },
      {
          .name = "nearest_position",
          .dimensions = {"position"},
          .unit = "position",
          .sentence = "whose code is nearest to that of each position",
          .definition = "the smallest q != p within 1e-12 relative of nearest_distance",
          .null_value = "0 (of position 0: 1)",
          .tolerance = exact(),
          .float32 = decided_by_rounding,
      },
      {
          .name = "mirror_distance",
          .sentence = "how well left is told from right",
          .definition = "min over r > 0 of |phi(r) - phi(-r)|, offsets of both signs",
          .null_value = "0",
          .tolerance = of_distance,
          .float32 = of_distance_in_float,
          .tolerance_unit = "norm",
      },
  };
}

std::vector<data::MeasureInfo> sampled_measures() {
  return {
      {
          .name = "min_distance_at_most",
          .sentence = "search sampled: distance of the sampled code that is nearest to another; min_distance is no "
                      "larger",
          .definition = "min over sampled p of min over q != p of |phi(p) - phi(q)|",
          .null_value = "0",
          .tolerance = of_distance,
          .float32 = of_distance_in_float,
          .tolerance_unit = "norm",
      },
      {
          .name = "nearer_share_at_most",
          .sentence = "search sampled: no larger share of all codes has another nearer than min_distance_at_most, with "
                      "95 % confidence",
          .definition = "1 - 0.05^(1 / samples); 0 where all codes are sampled",
          .null_value = "1 - 0.05^(1 / samples)",
          .tolerance = relative(1e-12),
      },
      {
          .name = "collisions_estimate",
          .unit = "pairs",
          .sentence = "search sampled: an unbiased estimate of collisions",
          .definition = "N / 2 times the mean over sampled p of the number of q != p with |phi(p) - phi(q)| <= 1e-9 "
                        "max(|phi(p)|, |phi(q)|)",
          .null_value = "N(N-1)/2",
          .tolerance = statistical(),
      },
      {
          .name = "collisions_error",
          .unit = "pairs",
          .sentence = "search sampled: standard error of collisions_estimate; 0 says only that the samples are alike",
          .definition = "N / 2 times sd over sampled p / sqrt(samples) times sqrt(1 - samples / N)",
          .null_value = "0",
          .tolerance = statistical(),
      },
      {
          .name = "distinct_estimate",
          .unit = "classes",
          .sentence =
              "search sampled: an unbiased estimate of distinct, where colliding with a third makes two collide",
          .definition = "N times the mean over sampled p of 1 / (1 + number of q that collide with p)",
          .null_value = "1",
          .tolerance = statistical(),
      },
      {
          .name = "distinct_error",
          .unit = "classes",
          .sentence = "search sampled: standard error of distinct_estimate; 0 says only that the samples are alike",
          .definition = "N times sd over sampled p / sqrt(samples) times sqrt(1 - samples / N)",
          .null_value = "0",
          .tolerance = statistical(),
      },
  };
}

std::vector<data::MeasureInfo> equal_token_measures() {
  return {
      {
          .name = "distinct_positions",
          .unit = "classes",
          .sentence = "a scheme that looks at contents: how many positions of equal tokens the query tells apart",
          .definition = "connected components of the pairs that told_apart does not count, mean over contents",
          .null_value = "1",
          .tolerance = statistical(),
      },
      {
          .name = "told_apart",
          .sentence = "a scheme that looks at contents: share of the pairs of positions of equal tokens that the query "
                      "tells apart",
          .definition =
              "share of pairs p < q with norm over heads of s(p) - s(q) > 1e-9 max(|s(p)|, |s(q)|), "
              "s(p) the logits of the query for the key at p, all tokens one random vector; mean over contents",
          .null_value = "0",
          .tolerance = statistical(),
      },
  };
}

}  // namespace

data::ExperimentInfo describe_uniqueness() {
  data::ExperimentInfo info;
  info.id = "uniqueness";
  info.version = "3.0";
  info.title = "Uniqueness";
  info.question = "Does every position have its own code, and how far apart are the codes?";
  info.axes = axes();
  info.dimensions = {{.name = "position",
                      .unit = "position",
                      .sentence = "the row of the signature: a position, or the index of an offset in rising order",
                      .within = {"length"},
                      .times = 2}};
  for (const auto& group :
       {closest_measures(), distinct_measures(), nearest_measures(), sampled_measures(), equal_token_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments
