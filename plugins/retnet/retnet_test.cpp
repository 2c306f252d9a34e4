// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width, P = K/2 planes.
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

}  // namespace

TEST_CASE("retnet: planes spaced to 1 / base inclusive, in both pairings") {
  const bool halves = GENERATE(false, true);
  const Index K = GENERATE(as<Index>(), 4, 10, 16);
  const Index H = 2, N = 33, P = K / 2;
  const auto scheme =
      check::scheme("retnet", {{"style", Value(std::string(halves ? "half-split" : "interleaved"))}}, {H * K, H, 512});
  const auto positions = check::consecutive(N, -3);
  const auto x = check::random({H, N, K}, "x");
  Array<double> out = x.copy();
  scheme->transform<double>(context, host::Side::query, positions, {}, out);
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < P; ++m) {
        const double angle = positions(n, 0) * std::pow(1e4, -static_cast<double>(m) / static_cast<double>(P - 1));
        const Index one = halves ? m : 2 * m, other = halves ? m + P : 2 * m + 1;
        const double a = x(h, n, one), b = x(h, n, other);
        REQUIRE_THAT(out(h, n, one), check::WithinAbs(a * std::cos(angle) - b * std::sin(angle), 1e-14));
        REQUIRE_THAT(out(h, n, other), check::WithinAbs(b * std::cos(angle) + a * std::sin(angle), 1e-14));
      }
  CHECK(scheme->inverse_frequency().front() == 1);
  CHECK_THAT(scheme->inverse_frequency().back(), check::WithinRel(1e-4, 1e-14));
}

TEST_CASE("retnet: exp(bias) is the decay g^(i - j), g = 31/32, 63/64, ...") {
  const Index H = 8;
  const auto scheme = check::scheme("retnet", {}, {H * 4, H, 512});
  const auto queries = check::positions({5, 40, 0.5}), keys = check::positions({0, 5, 4, 40, 2});
  Array<double> out({H, 3, 5});
  scheme->bias<double>(context, {queries, keys, 0}, {}, out);
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 5; ++j)
        CHECK_THAT(std::exp(out(h, i, j)),
                   check::WithinRel(
                       std::pow(1 - std::pow(2.0, -5 - static_cast<double>(h)), queries(i, 0) - keys(j, 0)), 1e-13));
  CHECK(std::exp(out(0, 0, 2)) == 0.96875);
  // A decay that double cannot tell from 1 still decays.
  Array<double> many({64, 1, 1});
  const auto wide = check::scheme("retnet", {}, {64 * 4, 64, 512});
  wide->bias<double>(context, {check::positions({1}), check::positions({0}), 0}, {}, many);
  CHECK_THAT(many(63, 0, 0), check::WithinRel(-std::pow(2.0, -68), 1e-12));
}

TEST_CASE("retnet: the gradient rotates back, claims, mask, and what is refused") {
  const auto scheme = check::scheme("retnet", {}, {32, 4, 64});
  const auto positions = check::positions({0, 3, 1000.5});
  const auto x = check::random({4, 3, 8}, "x");
  Array<double> there_and_back = x.copy();
  scheme->transform<double>(context, host::Side::key, positions, {}, there_and_back);
  CHECK(check::largest_difference(there_and_back, x) > 0.1);
  scheme->transform_gradient<double>(context, host::Side::key, positions, {}, there_and_back, {});
  CHECK(check::largest_difference(there_and_back, x) < 1e-14);
  for (const poslab_claim claim : {POSLAB_ISOMETRY, POSLAB_RELATIVE, POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE})
    CHECK(scheme->claims(claim));
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK_THROWS_WITH(check::scheme("retnet", {}, {4, 2, 64}), check::contains("head width of at least 4, not 2"));
  CHECK_THROWS_WITH(check::scheme("retnet", {}, {10, 2, 64}), check::contains("channels are rotated in pairs"));
}
