// SPDX-License-Identifier: Apache-2.0
// How many directions do the codes of N positions fill? Definitions: effective-dimension.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::effective_dimension {

using base::Index;

struct Order {
  static constexpr Dimension dimension{.name = "order", .sentence = "of an eigenvalue, the largest being 0"};
};
struct Rank {
  static constexpr Dimension dimension{.name = "rank",
                                       .sentence = "of a singular value, the largest being 0",
                                       .within = [] { return std::vector<std::string>{"length"}; }};
};
struct Head {
  static constexpr Dimension dimension{.name = "head", .sentence = "the head's number, from 0", .within = [] {
                                         return std::vector<std::string>{"heads"};
                                       }};
};

struct EffectiveDimension final : Definition {
  static constexpr About about{
      .id = "effective-dimension",
      .version = "1.2",
      .title = "Effective dimension",
      .question = "How many directions do the codes of N positions fill, of those that they have?"};

  Index length;
  static Axes<EffectiveDimension> axes() { return {{&EffectiveDimension::length, length_axis(256)}}; }

  // Singular values are off by some 1e-16 of the largest one, times the square root of their number.
  static constexpr data::Tolerance rounding{.absolute = 1e-12, .relative = 1e-11},
      centred{.absolute = 1e-9, .relative = 1e-9};

  static constexpr Scalar participation{
      .name = "participation",
      .sentence = "how many directions the codes fill alike",
      .definition = "(tr G)^2 / tr G^2, G = Phi Phi^T the Gram matrix of the codes; 0 for codes of 0",
      .null_value = "0",
      .tolerance = rounding};
  static constexpr Scalar participation_centred{.name = "participation_centred",
                                                .sentence = "the same of the codes less their mean over positions",
                                                .definition = "participation of Phi less the mean of its rows",
                                                .null_value = "0",
                                                .tolerance = centred};
  static constexpr Scalar directions_99{.name = "directions_99",
                                        .unit = "directions",
                                        .sentence = "how few directions hold 0.99 of the codes' squared norm",
                                        .definition = "least k with lambda_1 + .. + lambda_k >= 0.99 tr G",
                                        .null_value = "0",
                                        .tolerance = exact()};
  static constexpr Measure<Order> spectrum{.name = "spectrum",
                                           .sentence = "share of each direction in the codes' squared norm",
                                           .definition = "lambda_k / tr G, eigenvalues of G in falling order",
                                           .null_value = "0",
                                           .tolerance = rounding};
  static constexpr Measure<Head> kernel_participation{
      .name = "kernel_participation",
      .sentence =
          "how many directions the position scores of all pairs fill alike; absent where a scheme serves a causal mask "
          "alone, which hides half of them",
      .definition = "(sum sigma)^2 / sum sigma^2, singular values of P_h [N, N]",
      .null_value = "1",
      .tolerance = rounding};
  static constexpr Measure<Head> kernel_participation_centred{
      .name = "kernel_participation_centred",
      .sentence = "the same of what a softmax over keys sees of the scores",
      .definition = "the same of P_h less the mean of each row; 0 where that is 0 but for rounding",
      .null_value = "0",
      .tolerance = centred};
  static constexpr Measure<Head, Rank> kernel_spectrum{.name = "kernel_spectrum",
                                                       .sentence = "share of each direction in the position scores",
                                                       .definition = "sigma_k / sum sigma, in falling order",
                                                       .null_value = "1, then 0",
                                                       .tolerance = rounding};
  static constexpr std::tuple measures{participation,        participation_centred,        directions_99,  spectrum,
                                       kernel_participation, kernel_participation_centred, kernel_spectrum};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::effective_dimension
