// SPDX-License-Identifier: Apache-2.0
// Does a code depend on how long its sequence is? Definitions: length-independence.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::length_independence {

using base::Index;

struct Multiple {
  static constexpr InnerAxis dimension{"multiple"};
};
struct Position {
  static constexpr Dimension dimension{
      .name = "position", .unit = "position", .sentence = "p, or an offset r", .within = [] {
        return std::vector<std::string>{"length"};
      }};
};
struct OddLength {
  static constexpr Dimension dimension{.name = "odd_length",
                                       .unit = "token",
                                       .sentence =
                                           "T of contexts beside the multiples: N - 1, N + 1, N + 2, 2 N + 1, the "
                                           "last primes up to 3 N / 4 and 3 N / 2 + 1, one drawn below N and one "
                                           "above, as far as they are served"};
};

struct LengthIndependence final : Definition {
  static constexpr About about{
      .id = "length-independence",
      .version = "2.2",
      .title = "Length independence",
      .question = "Does a position, or an offset, have the same code whatever the length of its sequence?"};

  Index length;
  Dtype dtype;
  std::vector<double> multiple;
  static Axes<LengthIndependence> axes();

  // A code that depends on the length is made twice, from numbers of its own size.
  static constexpr data::Tolerance rounding{.absolute = 1e-12}, float32_rounding{.absolute = 1e-5};

  static constexpr Scalar norm{
      .name = "norm",
      .sentence = "size of the codes in the context of N tokens",
      .definition = "rms over p < N of |phi_N(p)|; of offsets less the mean over p, in what meets no key",
      .null_value = "0",
      .tolerance = relative(1e-12),
      .float32 = relative(1e-5)};
  static constexpr Measure<Multiple> change{
      .name = "change",
      .sentence = "how far codes move in another context, on average, over their size",
      .definition =
          "rms over p < min(N, T) of |phi_T(p) - phi_N(p)|, T = multiple N rounded down, over `norm`; "
          "of offsets less the mean of the difference over p, which softmax cancels, in what meets no "
          "key",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding},
      largest_change{.name = "largest_change",
                     .sentence = "the same of the position that moves farthest",
                     .definition = "max over p < min(N, T) of |phi_T(p) - phi_N(p)|, as in `change`, over `norm`",
                     .null_value = "0",
                     .tolerance = rounding,
                     .float32 = float32_rounding},
      same_place_change{
          .name = "same_place_change",
          .sentence = "how far codes of offsets move where the query stays at its place and tokens come after it",
          .definition = "as largest_change, T >= N, but phi_T(r) with the query at position N - 1, not at T - 1",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding};
  static constexpr Measure<OddLength> odd_change{
      .name = "odd_change",
      .sentence = "how far codes move in contexts whose length is no round multiple, on average, over their size",
      .definition = "as `change`, T = odd_length",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding},
      largest_odd_change{.name = "largest_odd_change",
                         .sentence = "the same of the position that moves farthest",
                         .definition = "as `largest_change`, T = odd_length",
                         .null_value = "0",
                         .tolerance = rounding,
                         .float32 = float32_rounding};
  static constexpr Measure<Multiple, Position> moved{
      .name = "moved",
      .sentence = "how far the code of a position moves in another context",
      .definition = "|phi_T(p) - phi_N(p)|, as in `change`",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding,
      .tolerance_unit = &norm};
  static constexpr std::tuple measures{norm, change, largest_change, odd_change, largest_odd_change, same_place_change,
                                       moved};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// The lengths T of `multiple`, at least 1 if why_skip found nothing; rising, each multiple once.
  std::vector<Index> other_lengths() const;
  /// Lengths that are no round multiple of N, each at least 1, rising: N - 1, N + 1, the first prime above 3 N / 2 and
  /// 2 N + 1, as far as the scheme serves them.
  std::vector<Index> odd_lengths(const host::Scheme& scheme) const;
};

}  // namespace poslab::experiments::length_independence
