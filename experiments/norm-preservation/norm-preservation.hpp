// SPDX-License-Identifier: Apache-2.0
// What happens to the vector? Definitions: norm-preservation.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::norm_preservation {

using base::Index;

struct Position {
  static constexpr Dimension dimension{.name = "position", .unit = "position", .sentence = "p", .within = [] {
                                         return std::vector<std::string>{"length"};
                                       }};
};

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

  static constexpr data::Tolerance of_ratio = absolute(1e-14), of_code = absolute(1e-12), in_float = absolute(1e-6);

  static constexpr Measure<Position> ratio_mean{.name = "ratio_mean",
                                                .sentence = "length of the vector after over before, on average",
                                                .definition =
                                                    "mean over contents (transform: also heads and the sides that it "
                                                    "transforms) of norm(x') / norm(x), x' = x + e(p) or T_p x",
                                                .null_value = "1",
                                                .tolerance = of_ratio,
                                                .float32 = in_float};
  static constexpr Measure<Position> ratio_min{.name = "ratio_min",
                                               .sentence = "length of the vector after over before, at least",
                                               .definition = "min of norm(x') / norm(x)",
                                               .null_value = "1",
                                               .tolerance = of_ratio,
                                               .float32 = in_float};
  static constexpr Measure<Position> ratio_max{.name = "ratio_max",
                                               .sentence = "length of the vector after over before, at most",
                                               .definition = "max of norm(x') / norm(x)",
                                               .null_value = "1",
                                               .tolerance = of_ratio,
                                               .float32 = in_float};
  static constexpr Measure<Position> ratio_queries{
      .name = "ratio_queries",
      .sentence = "length of the vector after over before, on average over queries; of schemes that transform them",
      .definition = "mean over contents and heads of norm(T_p x) / norm(x), T_p that of queries",
      .null_value = "1",
      .tolerance = of_ratio,
      .float32 = in_float};
  static constexpr Measure<Position> ratio_keys{
      .name = "ratio_keys",
      .sentence = "length of the vector after over before, on average over keys; of schemes that transform them",
      .definition = "mean over contents and heads of norm(T_p x) / norm(x), T_p that of keys",
      .null_value = "1",
      .tolerance = of_ratio,
      .float32 = in_float};
  static constexpr Measure<Position> ratio_values{
      .name = "ratio_values",
      .sentence = "length of the vector after over before, on average over values; of schemes that transform them",
      .definition = "mean over contents and heads of norm(T_p x) / norm(x), T_p that of values",
      .null_value = "1",
      .tolerance = of_ratio,
      .float32 = in_float};
  static constexpr Measure<Position> ratio_outputs{
      .name = "ratio_outputs",
      .sentence = "length of the vector after over before, on average over outputs; of schemes that transform them",
      .definition = "mean over contents and heads of norm(T_p x) / norm(x), T_p that of outputs of attention",
      .null_value = "1",
      .tolerance = of_ratio,
      .float32 = in_float};
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
  std::string why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::norm_preservation
