// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: K head width.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, false};

Array<double> code(const host::Scheme& scheme, double position) {
  Array<double> x({1, 1, scheme.model().head_width()});
  for (Index c = 0; c < x.size(); c += 2) x.data()[c] = 1;
  scheme.transform<double>(context, host::Side::key, check::positions({position}), {}, x);
  return x;
}

}  // namespace

TEST_CASE(
    "resonance: all codes come again after the least common multiple of the wavelengths, to the bit, and not before") {
  const auto [K, period] =
      GENERATE(std::pair<Index, int>{2, 6}, std::pair<Index, int>{4, 1884}, std::pair<Index, int>{6, 14580});
  const auto scheme = check::scheme("resonance", {}, {K, 1, 512});
  CHECK(scheme->unique_up_to() == period);
  const auto first = code(*scheme, 0);
  CHECK(check::largest_difference(code(*scheme, period), first) == 0);
  CHECK(check::largest_difference(code(*scheme, 5 * period + 3), code(*scheme, 3)) == 0);
  for (int n = 1; n < period; ++n) REQUIRE(check::largest_difference(code(*scheme, n), first) > 1e-4);
}

TEST_CASE("resonance: it is RoPE with other frequencies") {
  const auto scheme = check::scheme("resonance", {}, {64, 1, 512}), rope = check::scheme("rope", {}, {64, 1, 512});
  REQUIRE(scheme->inverse_frequency().size() == 32);
  for (std::size_t m = 0; m < 32; ++m) {
    const double wavelength = 2 * M_PI / scheme->inverse_frequency()[m],
                 ropes = 2 * M_PI / rope->inverse_frequency()[m];
    CHECK_THAT(wavelength, check::WithinAbs(std::round(wavelength), 1e-9));
    CHECK(std::abs(wavelength - ropes) <= 0.5 + 1e-9);
  }
  CHECK(scheme->unique_up_to() == 1e15);
}
