// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: H heads, K head width, N
// positions.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, false};
constexpr Index H = 2, K = 16;

std::unique_ptr<host::Scheme> scheme_of(const data::Values& parameters) {
  return check::scheme("rope-nd", parameters, {H * K, H, 512});
}
Array<double> rotated(const host::Scheme& scheme, const Array<double>& positions, const Array<double>& x) {
  Array<double> out = x.copy();
  scheme.transform<double>(context, host::Side::query, positions, {}, out);
  return out;
}
Array<double> at(std::initializer_list<double> numbers) {
  Array<double> out({1, static_cast<Index>(numbers.size())});
  std::copy(numbers.begin(), numbers.end(), out.data());
  return out;
}
const data::Values alternating{{"layout", Value(std::string("alternating"))}};

}  // namespace

TEST_CASE("rope-nd: with alternating axes, text is RoPE to the bit") {
  const auto text = check::consecutive(40, -7), x = check::random({H, 40, K}, "x");
  Array<double> twice({40, 2});
  for (Index n = 0; n < 40; ++n) twice(n, 0) = twice(n, 1) = text(n, 0);
  const auto rope = check::scheme("rope", {}, {H * K, H, 512});
  CHECK(check::largest_difference(rotated(*scheme_of(alternating), twice, x), rotated(*rope, text, x)) == 0);
}

TEST_CASE("rope-nd: one axis is RoPE, and the channels beyond the widths stay") {
  const auto text = check::consecutive(9), x = check::random({H, 9, K}, "x");
  const auto one = scheme_of({{"widths", Value(std::vector<double>{12})}});
  const auto rope = check::scheme("rope", {{"rotary_width", Value(std::int64_t{12})}}, {H * K, H, 512});
  CHECK(check::largest_difference(rotated(*one, text, x), rotated(*rope, text, x)) == 0);
}

TEST_CASE("rope-nd: logits depend on both offsets alone, ladders' are a sum of one part for each axis") {
  const bool ladders = GENERATE(true, false);
  const auto scheme = scheme_of(ladders ? data::Values{} : alternating);
  const auto q = check::random({H, 1, K}, "q"), k = check::random({H, 1, K}, "k");
  const auto logit = [&](double row, double column, double key_row, double key_column) {
    return check::inner(rotated(*scheme, at({row, column}), q), rotated(*scheme, at({key_row, key_column}), k));
  };
  CHECK_THAT(logit(3, 9, 1, 4), check::WithinAbs(logit(60, 30, 58, 25), 1e-11));
  CHECK(std::abs(logit(3, 9, 1, 4) - logit(9, 3, 4, 1)) > 1e-3);  // the axes are not the same
  const double mixed = logit(2, 5, 0, 0) - logit(2, 0, 0, 0) - logit(0, 5, 0, 0) + logit(0, 0, 0, 0);
  CHECK(std::abs(mixed) < 1e-12);  // both layouts: a plane looks at one axis
}

TEST_CASE("rope-nd: what is refused") {
  const auto refused = [](const data::Values& parameters, Index width, const char* words) {
    CHECK_THROWS_WITH(check::scheme("rope-nd", parameters, {width, 1, 64}), check::contains(words));
  };
  refused({{"widths", Value(std::vector<double>{3, 5})}}, 8, "even whole numbers of channels, not 3");
  refused({{"widths", Value(std::vector<double>{8, 8})}}, 8, "the 8 channels of a head at most, not to 16");
  refused({{"widths", Value(std::vector<double>{4, 4})}, {"axes", Value(std::int64_t{3})}}, 8,
          "widths has 2 numbers, but a position has 3");
  refused({{"layout", Value(std::string("alternating"))}, {"axes", Value(std::int64_t{3})}}, 8,
          "a multiple of 6, not 8");
  refused({{"layout", Value(std::string("alternating"))}, {"widths", Value(std::vector<double>{4, 4})}}, 8,
          "widths belongs to ladders");
}
