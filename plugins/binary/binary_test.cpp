// SPDX-License-Identifier: Apache-2.0
#include <bitset>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

Value whole(std::int64_t i) { return i; }

}  // namespace

TEMPLATE_TEST_CASE("binary: digits, in both orders, with and without a sign", "", float, double) {
  using S = TestType;
  const bool lowest_first = GENERATE(true, false), both_signs = GENERATE(true, false);
  const Index B = 5, D = 7;
  const auto scheme = check::scheme(
      "binary", {{"bits", whole(B)}, {"lsb_first", Value(lowest_first)}, {"signed", Value(both_signs)}}, {D, 1, 512});
  const auto positions = check::consecutive(32);
  Array<S> out({32, D});
  scheme->template encode<S>(context, positions, {}, out);
  for (Index n = 0; n < 32; ++n) {
    const std::bitset<5> digits(static_cast<unsigned long>(n));
    for (Index c = 0; c < D; ++c) {
      const auto k = static_cast<std::size_t>(lowest_first ? c : B - 1 - c);
      CHECK(out(n, c) == (c >= B ? 0 : digits[k] ? 1 : both_signs ? -1 : 0));
    }
  }
}

TEST_CASE("binary: positions beyond the last are refused, or repeat") {
  const data::Values four{{"bits", whole(4)}}, round{{"bits", whole(4)}, {"wrap", Value(true)}};
  const auto refusing = check::scheme("binary", four, {4, 1, 512}),
             wrapping = check::scheme("binary", round, {4, 1, 512});
  Array<double> out({4, 4});
  CHECK_THROWS_WITH(refusing->encode<double>(context, check::positions({0, 1, 15, 16}), {}, out),
                    check::contains("positions 0 to 15, but position 16"));
  CHECK_THROWS_AS(refusing->encode<double>(context, check::positions({0, 1, 2, -1}), {}, out),
                  data::PositionOutOfRange);
  CHECK_THROWS_AS(refusing->encode<double>(context, check::positions({0, 1, 2, 0.5}), {}, out),
                  data::PositionOutOfRange);
  CHECK(refusing->highest_position() == 15);
  CHECK(refusing->unique_up_to() == 16);
  wrapping->encode<double>(context, check::positions({5, 21, -11, 16 * 1e12 + 5}), {}, out);
  for (Index c = 0; c < 4; ++c)
    for (Index n = 0; n < 4; ++n) CHECK(out(n, c) == (c == 0 || c == 2 ? 1 : 0));
}

TEST_CASE("binary: as many digits as the model is wide, far beyond 2^53") {
  const auto scheme = check::scheme("binary", {}, {1100, 1, 512});
  Array<double> out({1, 1100});
  scheme->encode<double>(context, check::positions({0x1.8p60}), {}, out);
  for (Index c = 0; c < 1100; ++c) CHECK(out(0, c) == (c == 60 || c == 59 ? 1 : 0));
  CHECK(scheme->unique_up_to() == 0x1p53);
  CHECK(check::scheme("binary", {}, {32, 1, 512})->highest_position() == 4294967295.0);
}

TEST_CASE("binary: claims, and what is refused") {
  const auto scheme = check::scheme("binary", {}, {8, 1, 512}),
             both_signs = check::scheme("binary", {{"signed", Value(true)}}, {8, 1, 512});
  for (const poslab_claim claim : {POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED})
    CHECK(scheme->claims(claim));
  CHECK_FALSE(scheme->claims(POSLAB_CONSTANT_NORM));
  CHECK(both_signs->claims(POSLAB_CONSTANT_NORM));
  CHECK_THROWS_WITH(check::scheme("binary", {{"bits", whole(9)}}, {8, 1, 512}),
                    check::contains("bits must be at most the model width 8, not 9"));
  CHECK_THROWS_AS(check::scheme("binary", {{"bits", whole(0)}}, {8, 1, 512}), base::Error);
}
