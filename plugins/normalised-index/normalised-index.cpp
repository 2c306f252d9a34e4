// SPDX-License-Identifier: Apache-2.0
// The normalised index: the position as a part of the sequence's length.
#include <poslab/scheme.hpp>

using namespace poslab;

struct NormalisedIndex {
  static constexpr Card card{
      .id = "normalised-index",
      .title = "Normalised index",
      .version = "1.0",
      .summary = "The position as a part of the length: the code of a position changes with the length.",
      .formula = "e(p) = p / (T - 1), or 2 p / (T - 1) - 1, or the same with T for T - 1",
      .used_in = "Perceiver (range -1 to 1, before its Fourier features)",
      .real_positions = true};
  enum class Denominator { length_minus_1, length };
  enum class Span { unit, symmetric };
  static constexpr const char* denominators[] = {"length-minus-1", "length"};
  static constexpr const char* spans[] = {"unit", "symmetric"};
  Denominator denominator;
  Span span;
  bool broadcast;
  static constexpr std::tuple params{
      choice(&NormalisedIndex::denominator, "denominator", denominators, "what the position is divided by"),
      choice(&NormalisedIndex::span, "range", spans, "unit: from 0 to 1; symmetric: from -1 to 1"),
      flag(&NormalisedIndex::broadcast, "broadcast", false, "the number in every channel, not in the first alone")};
  // 2^52: p and p + 1 stay apart after the division
  static constexpr Traits traits = Traits().claims(content_free).unique_up_to(4503599627370496.0);

  template <class S>
  void encode(Context context, double position, Row<S> row) const {
    const double length = static_cast<double>(context.length);
    const double largest = denominator == Denominator::length ? length : length - 1;
    const double part = largest > 0 ? position / largest : 0;  // a sequence of one token: its start
    const S code = static_cast<S>(span == Span::unit ? part : 2 * part - 1);
    for (S& channel : row) channel = broadcast ? code : S(0);
    row[0] = code;
  }
};
POSLAB_SCHEME(NormalisedIndex)
