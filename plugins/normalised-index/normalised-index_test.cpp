// SPDX-License-Identifier: Apache-2.0
#include "scheme_check.hpp"

using namespace poslab;
using check::Value;

namespace {

// The codes of positions 0 .. count - 1 in a sequence of `length`, first channel.
std::vector<double> codes(const data::Values& parameters, base::Index length, base::Index count) {
  const auto scheme = check::scheme("normalised-index", parameters, {2, 1, 512});
  const auto positions = check::consecutive(count);
  base::Array<double> out({count, 2});
  scheme->encode<double>({length, 512, true}, positions, {}, out);
  std::vector<double> first;
  for (base::Index n = 0; n < count; ++n) {
    first.push_back(out(n, 0));
    CHECK(out(n, 1) == 0);
  }
  return first;
}

}  // namespace

TEST_CASE("normalised-index: every range and denominator") {
  const Value symmetric("symmetric"), by_length("length");
  CHECK(codes({}, 5, 5) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(codes({{"denominator", by_length}}, 4, 4) == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(codes({{"range", symmetric}}, 5, 5) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
  CHECK(codes({{"range", symmetric}, {"denominator", by_length}}, 4, 4) == std::vector<double>{-1, -0.5, 0, 0.5});
}

TEST_CASE("normalised-index: one token, two tokens, none, and positions beyond the length") {
  CHECK(codes({}, 1, 1) == std::vector<double>{0});
  CHECK(codes({{"range", Value("symmetric")}}, 1, 1) == std::vector<double>{-1});  // linspace(-1, 1, 1)
  CHECK(codes({{"denominator", Value("length")}}, 1, 1) == std::vector<double>{0});
  CHECK(codes({}, 2, 2) == std::vector<double>{0, 1});
  CHECK(codes({}, 0, 0).empty());
  CHECK(codes({}, 3, 5) == std::vector<double>{0, 0.5, 1, 1.5, 2});
}

TEST_CASE("normalised-index: the code of a position changes with the length, and it says so") {
  CHECK(codes({}, 5, 2)[1] == 0.25);
  CHECK(codes({}, 9, 2)[1] == 0.125);
  const auto scheme = check::scheme("normalised-index", {{"broadcast", Value(true)}}, {4, 2, 512});
  CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  base::Array<float> out({1, 4});
  scheme->encode<float>({4, 512, true}, check::positions({1}), {}, out);
  for (base::Index c = 0; c < 4; ++c) CHECK(out(0, c) == 1.0F / 3.0F);
}
