// SPDX-License-Identifier: Apache-2.0
// The position's binary digits, one a channel.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Binary {
  static constexpr Card card{.id = "binary",
                             .title = "Binary digits",
                             .version = "1.0",
                             .summary = "Adds the position's binary digits; positions with more digits are refused.",
                             .formula = "e(p)[k] = floor(p / 2^k) mod 2"};
  std::optional<int> bits;
  bool lowest_first, both_signs, wrap;
  static constexpr std::tuple params{
      integer(&Binary::bits, "bits", unset, at_least(1), "digits; unset: the model width").usual(whole_numbers<64>),
      flag(&Binary::lowest_first, "lsb_first", true, "the digit of 1 comes first, else that of 2^(bits - 1)"),
      flag(&Binary::both_signs, "signed", false, "digits are -1 and 1, not 0 and 1"),
      flag(&Binary::wrap, "wrap", false, "positions that need more digits repeat, and are not refused")};

  Traits traits() const {
    const double codes = std::ldexp(1, *bits);
    return Traits()
        .claims(content_free | length_free | bounded | (both_signs ? constant_norm : no_claims))
        .min_position(wrap ? -INFINITY : 0)
        .max_position(wrap ? INFINITY : codes - 1)
        .unique_up_to(std::min(codes, 0x1p53));  // beyond 2^53, p + 1 is no double
  }

  void prepare(const Model& m) {
    bits = bits.value_or(m.D);
    require(*bits <= m.D, "bits must be at most the model width ", m.D, ", not ", *bits);
  }

  template <class S>
  void encode(double position, Row<S> row) const {
    const auto B = static_cast<std::size_t>(*bits);
    const auto write = [&](std::size_t k, bool one) {
      row[lowest_first ? k : B - 1 - k] = S(one ? 1 : both_signs ? -1 : 0);
    };
    std::size_t k = 0;
    double rest = position, half = std::floor(rest / 2);
    for (; k < B && rest != half; ++k, rest = half, half = std::floor(rest / 2)) write(k, rest != 2 * half);
    for (; k < B; ++k) write(k, rest != 0);  // 0, or -1: its digits go on for ever
    for (S& channel : row.subspan(B)) channel = 0;
  }
};
POSLAB_SCHEME(Binary)
