// SPDX-License-Identifier: Apache-2.0
// The spread of tables that rotate: zero but for rounding, like that of all pairs, and refused where it is not.
// Dimension letters: H heads, N positions, W width.
#include <tbb/global_control.h>

#include <cmath>

#include "catch.hpp"
#include "naive.hpp"
#include "poslab/numerics/diagonal_spread.hpp"
#include "thousand.hpp"

using namespace poslab::numerics;
using poslab::base::Array;

namespace {

struct Factors {
  Array<double> left, right;  // [H, N, W]
  RotationClaim claim;
};

// Heads that start elsewhere and rotate alike; `apart` rotates the right side further by as much.
Factors rotation_factors(Index H, Index N, Index W, double apart, bool heads_differ = true) {
  Factors factors{Array<double>{H, N, W}, Array<double>{H, N, W}, {}};
  for (Index m = 0; m < W / 2; ++m)
    factors.claim.angles.push_back(std::pow(1e3, -2.0 * static_cast<double>(m) / static_cast<double>(W)));
  for (Index h = 0; h < H; ++h)
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < W / 2; ++m) {
        const double angle = static_cast<double>(n) * factors.claim.angles[static_cast<std::size_t>(m)],
                     start = heads_differ ? static_cast<double>(h * m) / 16 : 0,
                     size = 1 + static_cast<double>(heads_differ ? h + m : m) / 10;
        factors.left(h, n, 2 * m) = size * std::cos(angle + start);
        factors.left(h, n, 2 * m + 1) = size * std::sin(angle + start);
        factors.right(h, n, 2 * m) = size * std::cos(angle + start + apart);
        factors.right(h, n, 2 * m + 1) = size * std::sin(angle + start + apart);
      }
  return factors;
}

template <class S>
Array<S> converted(const Array<double>& numbers) {
  Array<S> out(numbers.rank(), numbers.view().shape);
  for (Index i = 0; i < numbers.size(); ++i) out.data()[i] = static_cast<S>(numbers.data()[i]);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("spread of tables that rotate: that of all pairs, but for rounding", "", double, float) {
  const double of_rounding = std::is_same_v<TestType, float> ? 5e-5 : 1e-12, of_mean = of_rounding / 10;
  for (int example = 0; example < check::thousand; ++example) {
    const Index H = 1 + example % 3, N = 2 + example % 97, W = 2 * (1 + example % 7);
    const Factors factors = rotation_factors(H, N, W, example % 2 ? 0.3 : 0, example % 5 != 0);
    CAPTURE(H, N, W);
    const Array<TestType> left = converted<TestType>(factors.left), right = converted<TestType>(factors.right);
    const auto found = diagonal_spread_of_rotated<TestType>(left, right, factors.claim);
    const DiagonalSpread plain = naive::diagonal_spread<TestType>(left, right);
    REQUIRE(found);
    REQUIRE(found->mean_square == check::Approx(plain.mean_square).epsilon(of_mean));
    REQUIRE(found->spread.size() == plain.spread.size());
    const double allowed = of_rounding * static_cast<double>(N) * std::sqrt(plain.mean_square);
    for (std::size_t offset = 0; offset < plain.spread.size(); ++offset)
      REQUIRE(std::abs(found->spread[offset] - plain.spread[offset]) <= allowed);
  }
}

TEST_CASE("spread of tables that rotate: at most that of all pairs, and the same where 64 rows are all") {
  const Factors factors = rotation_factors(2, 60, 8, 0.3);
  const auto found = diagonal_spread_of_rotated<double>(factors.left, factors.right, factors.claim);
  const DiagonalSpread all = diagonal_spread<double>(factors.left, factors.right);
  REQUIRE(found);
  CHECK(found->largest() == check::Approx(all.largest()).margin(1e-15));
  const Factors longer = rotation_factors(2, 700, 8, 0.3);
  const auto some = diagonal_spread_of_rotated<double>(longer.left, longer.right, longer.claim);
  REQUIRE(some);
  CHECK(some->largest() > 0);
  CHECK(some->largest() <= diagonal_spread<double>(longer.left, longer.right).largest() + 1e-15);
}

TEST_CASE("spread of tables that rotate: one changed number, another direction or another claim are refused") {
  const Factors factors = rotation_factors(2, 500, 8, 0.3);
  const auto holds = [&](const Array<double>& left, const Array<double>& right, const RotationClaim& claim) {
    return diagonal_spread_of_rotated<double>(left, right, claim).has_value();
  };
  CHECK(holds(factors.left, factors.right, factors.claim));
  for (const Index head : {0, 1}) {
    Array<double> changed = factors.right.copy();
    changed(head, 333, 3) += 1e-11;
    CHECK_FALSE(holds(factors.left, changed, factors.claim));
    CHECK_FALSE(holds(changed, factors.right, factors.claim));
  }
  Array<double> backwards = factors.right.copy();
  for (Index h = 0; h < 2; ++h)
    for (Index n = 0; n < 500; ++n)
      for (Index k = 0; k < 8; k += 2) std::swap(backwards(h, n, k), backwards(h, n, k + 1));
  CHECK(certify<double>(backwards.view()[0], factors.claim));
  CHECK_FALSE(holds(factors.left, backwards, factors.claim));
  RotationClaim other = factors.claim;
  other.angles[1] *= 1.001;
  CHECK_FALSE(holds(factors.left, factors.right, other));
  CHECK_FALSE(holds(factors.left, factors.right, {}));
}

TEST_CASE("spread of tables that rotate: the same bits on any number of threads") {
  const Factors factors = rotation_factors(3, 3000, 16, 0.3);
  const auto with_threads = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return diagonal_spread_of_rotated<double>(factors.left, factors.right, factors.claim).value();
  };
  const DiagonalSpread one = with_threads(1);
  for (const std::size_t threads : {2, 8}) {
    const DiagonalSpread more = with_threads(threads);
    CHECK(more.spread == one.spread);
    CHECK(more.mean_square == one.mean_square);
  }
}
