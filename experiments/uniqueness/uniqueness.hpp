// SPDX-License-Identifier: Apache-2.0
// Does every position, or every offset, have its own code? Definitions: uniqueness.md.
#pragma once

#include <tuple>

#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::uniqueness {

using base::Index;

struct Position {
  static constexpr Dimension dimension{
      .name = "position",
      .unit = "position",
      .sentence = "the row of the signature: a position, or the index of an offset in rising order",
      .within = [] { return std::vector<std::string>{"length"}; },
      .times = 2};
};

enum class Kind { natural, position, offset };
enum class Search { exact, sampled };

struct Uniqueness final : Definition {
  static constexpr About about{.id = "uniqueness",
                               .version = "3.1",
                               .title = "Uniqueness",
                               .question = "Does every position have its own code, and how far apart are the codes?"};

  Index length, contents, samples;
  Kind kind;
  attention::Offsets offsets;
  Dtype dtype;
  Search search;
  static Axes<Uniqueness> axes();

  // A distance is a difference of codes: its rounding is that of their norm. In float32 last bits decide which of two
  // nearly equal distances is smaller, and who collides.
  static constexpr data::Tolerance of_distance{.absolute = 1e-13, .relative = 1e-12},
      of_distance_in_float{.absolute = 1e-6}, decided_by_rounding{.statistical = true};

  static constexpr Scalar norm{.name = "norm",
                               .sentence = "root-mean-square norm of a code",
                               .definition = "sqrt(mean over p of |phi(p)|^2)",
                               .null_value = "0",
                               .tolerance = relative(1e-13),
                               .float32 = relative(1e-6)};
  static constexpr Scalar min_distance{.name = "min_distance",
                                       .sentence = "distance of the two nearest codes",
                                       .definition = "min over p < q of |phi(p) - phi(q)|",
                                       .null_value = "0",
                                       .tolerance = of_distance,
                                       .float32 = of_distance_in_float,
                                       .tolerance_unit = &norm};
  static constexpr Scalar min_distance_nats{
      .name = "min_distance_nats",
      .unit = "nat",
      .sentence = "how far the logits of the two nearest offsets are apart in a head",
      .definition =
          "min_distance / sqrt(H), kind offset, no mix: the rms over heads of the difference in a logit "
          "(for contents of unit variance, where it depends on them)",
      .null_value = "0",
      .tolerance = of_distance,
      .float32 = of_distance_in_float,
      .tolerance_unit = &norm};
  static constexpr Scalar closest_first{
      .name = "closest_first",
      .unit = "position",
      .sentence = "the first of the two nearest codes",
      .definition = "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: p",
      .null_value = "0",
      .tolerance = exact(),
      .float32 = decided_by_rounding};
  static constexpr Scalar closest_second{
      .name = "closest_second",
      .unit = "position",
      .sentence = "the second of the two nearest codes",
      .definition = "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: q",
      .null_value = "1",
      .tolerance = exact(),
      .float32 = decided_by_rounding};
  static constexpr Scalar relative_margin{.name = "relative_margin",
                                          .sentence = "distance of the two nearest codes over the norm of a code",
                                          .definition = "min_distance / sqrt(mean over p of |phi(p)|^2)",
                                          .null_value = "0",
                                          .tolerance = absolute(1e-12),
                                          .float32 = absolute(1e-6)};
  static constexpr Scalar collisions{
      .name = "collisions",
      .unit = "pairs",
      .sentence = "pairs of positions whose codes cannot be told apart",
      .definition = "number of pairs p < q with |phi(p) - phi(q)| <= 1e-9 max(|phi(p)|, |phi(q)|)",
      .null_value = "N(N-1)/2",
      .tolerance = exact(),
      .float32 = decided_by_rounding};
  static constexpr Scalar distinct{.name = "distinct",
                                   .unit = "classes",
                                   .sentence = "how many different codes there are",
                                   .definition = "connected components of the relation that collisions counts",
                                   .null_value = "1",
                                   .tolerance = exact(),
                                   .float32 = decided_by_rounding};
  static constexpr Scalar distinct_float32{.name = "distinct_float32",
                                           .unit = "codes",
                                           .sentence = "how many different codes there are, stored as float32",
                                           .definition = "different rows of float32(phi)",
                                           .null_value = "1",
                                           .tolerance = exact(),
                                           .float32 = decided_by_rounding};
  static constexpr Scalar distinct_bfloat16{.name = "distinct_bfloat16",
                                            .unit = "codes",
                                            .sentence = "how many different codes there are, stored as bfloat16",
                                            .definition = "different rows of bfloat16(float32(phi)), ties to even",
                                            .null_value = "1",
                                            .tolerance = exact(),
                                            .float32 = decided_by_rounding};
  static constexpr Measure<Position> nearest_distance{.name = "nearest_distance",
                                                      .sentence = "distance of each code to the nearest other",
                                                      .definition = "min over q != p of |phi(p) - phi(q)|",
                                                      .null_value = "0",
                                                      .tolerance = of_distance,
                                                      .float32 = of_distance_in_float,
                                                      .tolerance_unit = &norm};
  static constexpr Measure<Position> nearest_position{
      .name = "nearest_position",
      .unit = "position",
      .sentence = "whose code is nearest to that of each position",
      .definition = "the smallest q != p within 1e-12 relative of nearest_distance",
      .null_value = "0 (of position 0: 1)",
      .tolerance = exact(),
      .float32 = decided_by_rounding};
  static constexpr Scalar mirror_distance{.name = "mirror_distance",
                                          .sentence = "how well left is told from right",
                                          .definition = "min over r > 0 of |phi(r) - phi(-r)|, offsets of both signs",
                                          .null_value = "0",
                                          .tolerance = of_distance,
                                          .float32 = of_distance_in_float,
                                          .tolerance_unit = &norm};
  static constexpr Scalar min_distance_at_most{
      .name = "min_distance_at_most",
      .sentence =
          "search sampled: distance of the sampled code that is nearest to another; min_distance is no "
          "larger",
      .definition = "min over sampled p of min over q != p of |phi(p) - phi(q)|",
      .null_value = "0",
      .tolerance = of_distance,
      .float32 = of_distance_in_float,
      .tolerance_unit = &norm};
  static constexpr Scalar nearer_share_at_most{
      .name = "nearer_share_at_most",
      .sentence =
          "search sampled: no larger share of all codes has another nearer than min_distance_at_most, with "
          "95 % confidence",
      .definition = "1 - 0.05^(1 / samples); 0 where all codes are sampled",
      .null_value = "1 - 0.05^(1 / samples)",
      .tolerance = relative(1e-12)};
  static constexpr Scalar collisions_estimate{
      .name = "collisions_estimate",
      .unit = "pairs",
      .sentence = "search sampled: an unbiased estimate of collisions",
      .definition =
          "N / 2 times the mean over sampled p of the number of q != p with |phi(p) - phi(q)| <= 1e-9 "
          "max(|phi(p)|, |phi(q)|)",
      .null_value = "N(N-1)/2",
      .tolerance = statistical()};
  static constexpr Scalar collisions_error{
      .name = "collisions_error",
      .unit = "pairs",
      .sentence = "search sampled: standard error of collisions_estimate; 0 says only that the samples are alike",
      .definition = "N / 2 times sd over sampled p / sqrt(samples) times sqrt(1 - samples / N)",
      .null_value = "0",
      .tolerance = statistical()};
  static constexpr Scalar distinct_estimate{
      .name = "distinct_estimate",
      .unit = "classes",
      .sentence = "search sampled: an unbiased estimate of distinct, where colliding with a third makes two collide",
      .definition = "N times the mean over sampled p of 1 / (1 + number of q that collide with p)",
      .null_value = "1",
      .tolerance = statistical()};
  static constexpr Scalar distinct_error{
      .name = "distinct_error",
      .unit = "classes",
      .sentence = "search sampled: standard error of distinct_estimate; 0 says only that the samples are alike",
      .definition = "N times sd over sampled p / sqrt(samples) times sqrt(1 - samples / N)",
      .null_value = "0",
      .tolerance = statistical()};
  static constexpr Scalar distinct_positions{
      .name = "distinct_positions",
      .unit = "classes",
      .sentence = "a scheme that looks at contents: how many positions of equal tokens the query tells apart",
      .definition = "connected components of the pairs that told_apart does not count, mean over contents",
      .null_value = "1",
      .tolerance = statistical()};
  static constexpr Scalar told_apart{
      .name = "told_apart",
      .sentence =
          "a scheme that looks at contents: share of the pairs of positions of equal tokens that the query "
          "tells apart",
      .definition =
          "share of pairs p < q with norm over heads of s(p) - s(q) > 1e-9 max(|s(p)|, |s(q)|), "
          "s(p) the logits of the query for the key at p, all tokens one random vector; mean over contents",
      .null_value = "0",
      .tolerance = statistical()};
  static constexpr std::tuple measures{min_distance,
                                       min_distance_nats,
                                       norm,
                                       closest_first,
                                       closest_second,
                                       relative_margin,
                                       collisions,
                                       distinct,
                                       distinct_float32,
                                       distinct_bfloat16,
                                       nearest_distance,
                                       nearest_position,
                                       mirror_distance,
                                       min_distance_at_most,
                                       nearer_share_at_most,
                                       collisions_estimate,
                                       collisions_error,
                                       distinct_estimate,
                                       distinct_error,
                                       distinct_positions,
                                       told_apart};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// Whose codes a cell compares.
  attention::SignatureKind kind_of(const host::Scheme& scheme) const;
  /// Whose code is that of its content: asked for what it works with, it shows what equal tokens are told.
  bool shows_equal_tokens(const host::Scheme& scheme) const;
};

}  // namespace poslab::experiments::uniqueness
