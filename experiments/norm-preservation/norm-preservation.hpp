// SPDX-License-Identifier: Apache-2.0
// What happens to the vector? Definitions: norm-preservation.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/experiment/joined.hpp"

namespace poslab::experiments::norm_preservation {

using base::Index;

struct Position {
  static constexpr Dimension dimension{.name = "position", .unit = "position", .sentence = "p", .within = [] {
                                         return std::vector<std::string>{"length"};
                                       }};
};

inline constexpr data::Tolerance of_ratio = absolute(1e-14), of_code = absolute(1e-12), in_float = absolute(1e-6);

constexpr Measure<Position> ratio(const char* name, const char* sentence, const char* definition) {
  return {.name = name,
          .sentence = sentence,
          .definition = definition,
          .null_value = "1",
          .tolerance = of_ratio,
          .float32 = in_float};
}
template <Words side, Words vectors = side>
constexpr Measure<Position> ratio_of_side() {
  return ratio(
      joined<"ratio_", side>,
      joined<"length of the vector after over before, on average over ", side, "; of schemes that transform them">,
      joined<"mean over contents and heads of norm(T_p x) / norm(x), T_p that of ", vectors>);
}

struct NormPreservation final : Definition {
  static constexpr About about{
      .id = "norm-preservation",
      .version = "2.1",
      .title = "Norm preservation",
      .question = "What happens to the vector: does it keep its length, its angles to others, its direction?",
      .draws_contents = true};

  Index length, contents;
  double embedding_std;
  Dtype dtype;
  static Axes<NormPreservation> axes();

  static constexpr Measure<Position>
      ratio_mean = ratio("ratio_mean", "length of the vector after over before, on average",
                         "mean over contents (transform: also heads and the sides that it transforms) of norm(x') / "
                         "norm(x), x' = x + e(p) or T_p x"),
      ratio_min = ratio("ratio_min", "length of the vector after over before, at least", "min of norm(x') / norm(x)"),
      ratio_max = ratio("ratio_max", "length of the vector after over before, at most", "max of norm(x') / norm(x)"),
      ratio_queries = ratio_of_side<"queries">(), ratio_keys = ratio_of_side<"keys">(),
      ratio_values = ratio_of_side<"values">(), ratio_outputs = ratio_of_side<"outputs", "outputs of attention">();
  static constexpr Scalar isometry_error{
      .name = "isometry_error",
      .sentence = "how much inner products change, at worst",
      .definition = "max |<x', y'> - <x, y>| / (norm(x) norm(y)), x and y at the same position and on the same side",
      .null_value = "0",
      .tolerance = of_ratio,
      .float32 = in_float};
  static constexpr Measure<Position> angle{.name = "angle",
                                           .unit = "rad",
                                           .sentence = "how far the added code rotates the embedding",
                                           .definition = "mean over contents of the angle between x and x + e(p)",
                                           .null_value = "0",
                                           .tolerance = of_code,
                                           .float32 = in_float};
  static constexpr Measure<Position> position_share{
      .name = "position_share",
      .sentence = "share of the code in the expected squared norm of the sum",
      .definition = "|e(p)|^2 / (|e(p)|^2 + D embedding_std^2)",
      .null_value = "0",
      .tolerance = of_code,
      .float32 = in_float};
  static constexpr Scalar max_abs{.name = "max_abs",
                                  .sentence = "largest absolute entry of any code",
                                  .definition = "max over p and channels of |e(p)|",
                                  .null_value = "0",
                                  .tolerance = exact()};
  static constexpr std::tuple measures{ratio_mean, ratio_min,      ratio_max,     ratio_queries,
                                       ratio_keys, ratio_values,   ratio_outputs, isometry_error,
                                       angle,      position_share, max_abs};
  /// Those of one side, as `host::all_sides` has them.
  static constexpr const Measure<Position>* of_sides[] = {&ratio_queries, &ratio_keys, &ratio_values, &ratio_outputs};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::norm_preservation
