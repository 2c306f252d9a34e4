// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

Value whole(std::int64_t i) { return i; }
Value numbers(std::vector<double> all) { return all; }

Array<double> codes(const data::Values& parameters, Index D, const Array<double>& positions, Index length = 64) {
  Array<double> out({positions.extent(0), D});
  check::scheme("fourier", parameters, {D, 1, 512})->encode<double>({length, 512, true}, positions, {}, out);
  return out;
}

// The formula entry by entry: channel c of scaled positions x, one of `K` bands an axis.
double wanted(const std::vector<double>& x, const std::vector<double>& resolution, Index K, bool own, bool sine_only,
              Index c) {
  const auto A = static_cast<Index>(x.size());
  if (own && c < A) return x[static_cast<std::size_t>(c)];
  c -= own ? A : 0;
  const bool cosine = c >= A * K;
  if (cosine && sine_only) return 0;
  c -= cosine ? A * K : 0;
  if (c >= A * K) return 0;
  const auto a = static_cast<std::size_t>(c / K);
  const double k = static_cast<double>(c % K), last = static_cast<double>(K - 1);
  const double f = K == 1 ? 1 : 1 * (last - k) / last + resolution[a] / 2 * k / last;
  return cosine ? std::cos(std::numbers::pi * f * x[a]) : std::sin(std::numbers::pi * f * x[a]);
}

}  // namespace

TEST_CASE("fourier: the formula in one axis, normalised by the length") {
  const Index K = GENERATE(1, 2, 5), length = GENERATE(2, 16, 33);
  const bool own = GENERATE(true, false), sine_only = GENERATE(true, false);
  const Index D = 13;
  const auto positions = check::positions({0, 1, 3.5, 15, -2});
  const auto rows = codes({{"num_bands", whole(K)},
                           {"max_resolution", numbers({20})},
                           {"concat_pos", Value(own)},
                           {"sine_only", Value(sine_only)}},
                          D, positions, length);
  for (Index n = 0; n < positions.extent(0); ++n)
    for (Index c = 0; c < D; ++c) {
      const double x = 2 * positions(n, 0) / static_cast<double>(length - 1) - 1;
      CHECK_THAT(rows(n, c), check::WithinAbs(wanted({x}, {20}, K, own, sine_only, c), 1e-12));
    }
}

TEST_CASE("fourier: axes one after another, sines before cosines, normalised by the resolution or not at all") {
  const bool by_resolution = GENERATE(true, false), own = GENERATE(true, false);
  const std::vector<double> resolution{8, 6, 3};
  const Index K = 3, D = 22;
  Array<double> at({2, 3});
  const double positions[2][3] = {{0, 5, 1}, {7, 0, 2.5}};
  for (Index n = 0; n < 2; ++n)
    for (Index a = 0; a < 3; ++a) at(n, a) = positions[n][a];
  data::Values parameters{{"num_bands", whole(K)}, {"max_resolution", numbers(resolution)}, {"concat_pos", Value(own)}};
  if (!by_resolution) parameters.set("normalise_by", Value("none"));
  const auto rows = codes(parameters, D, at);
  for (Index n = 0; n < 2; ++n)
    for (Index c = 0; c < D; ++c) {
      std::vector<double> x;
      for (Index a = 0; a < 3; ++a)
        x.push_back(by_resolution ? 2 * at(n, a) / (resolution[static_cast<std::size_t>(a)] - 1) - 1 : at(n, a));
      CHECK_THAT(rows(n, c), check::WithinAbs(wanted(x, resolution, K, own, false, c), 1e-13));
    }
}

TEST_CASE("fourier: left alone, it takes as many bands as fit, up to half the train length") {
  const auto rows = codes({}, 32, check::consecutive(64));
  for (const Index n : {0, 1, 40, 63})
    for (Index c = 0; c < 32; ++c) {
      const double x = 2 * static_cast<double>(n) / 63 - 1;
      CHECK_THAT(rows(n, c), check::WithinAbs(wanted({x}, {512}, 15, true, false, c), 1e-11));
    }
  CHECK(codes({}, 32, check::consecutive(1), 1)(0, 0) == -1);  // one position is its own start
}

TEST_CASE("fourier: without the position both ends can be one") {
  const data::Values alone{
      {"num_bands", whole(8)}, {"max_resolution", numbers({16})}, {"concat_pos", Value(false)}};  // f_k = 1 .. 8
  const auto rows = codes(alone, 16, check::positions({0, 63}));
  for (Index c = 0; c < 16; ++c) CHECK_THAT(rows(0, c), check::WithinAbs(rows(1, c), 1e-14));
  CHECK(check::scheme("fourier", alone, {16, 1, 512})->unique_up_to() == 0);
  CHECK(check::scheme("fourier", {}, {16, 1, 512})->unique_up_to() >= 1e9);
}

TEST_CASE("fourier: its claims") {
  const auto claims = [](const data::Values& values, poslab_claim claim) {
    return check::scheme("fourier", values, {32, 1, 512})->claims(claim);
  };
  const data::Values by_length{{"max_resolution", numbers({64})}},
      by_grid{{"max_resolution", numbers({8, 8})}, {"concat_pos", Value(false)}},
      sines{{"concat_pos", Value(false)}, {"sine_only", Value(true)}}, train_length{{"normalise_by", Value("none")}};
  CHECK(claims({}, POSLAB_CONTENT_FREE));
  CHECK_FALSE(claims(by_length, POSLAB_LENGTH_FREE));
  CHECK_FALSE(claims(train_length, POSLAB_LENGTH_FREE));
  CHECK(claims(by_grid, POSLAB_LENGTH_FREE));
  CHECK_FALSE(claims({}, POSLAB_BOUNDED));
  CHECK(claims(by_grid, POSLAB_BOUNDED));
  CHECK(claims(by_grid, POSLAB_CONSTANT_NORM));
  CHECK_FALSE(claims({}, POSLAB_CONSTANT_NORM));
  CHECK_FALSE(claims(sines, POSLAB_CONSTANT_NORM));
}

TEST_CASE("fourier: what is refused") {
  const auto make = [](const data::Values& values, Index D) { return check::scheme("fourier", values, {D, 1, 512}); };
  CHECK_THROWS_WITH(make({{"num_bands", whole(8)}}, 16), check::contains("no room for 1 axis of 17 channels each"));
  CHECK_NOTHROW(make({{"num_bands", whole(8)}}, 17));
  CHECK_THROWS_WITH(make({}, 2), check::contains("no room"));
  CHECK_THROWS_WITH(make({{"max_resolution", numbers({4, 4, 4, 4})}}, 64), check::contains("1 to 3 numbers"));
  CHECK_THROWS_WITH(make({{"max_resolution", numbers({4, 4})}, {"normalise_by", Value("length")}}, 64),
                    check::contains("cannot be normalised by the length"));
  CHECK_THROWS_AS(make({{"max_resolution", numbers({1})}}, 64), base::Error);
  CHECK_THROWS_WITH(codes({{"max_resolution", numbers({4, 4})}}, 64, check::positions({1})),
                    check::contains("serves positions of 2 axes, not of 1"));
}
