// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};
constexpr Index H = 3;

data::Values parameters(std::int64_t d_bar, std::int64_t first, bool centred) {
  return {{"d_bar", Value(d_bar)}, {"first_m", Value(first)}, {"subtract_half", Value(centred)}};
}

template <class S>
Array<S> bias(const data::Values& values, const Array<double>& queries, const Array<double>& keys) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  check::scheme("sandwich", values, {4 * H, H, 512})->bias<S>(context, {queries, keys, 0}, {}, out);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("sandwich: the sum of cosines, for any positions", "", float, double) {
  using S = TestType;
  const int first = GENERATE(0, 1);
  const bool centred = GENERATE(false, true);
  constexpr int d_bar = 10;
  for (const auto& keys : {check::consecutive(9), check::positions({0.25, -7, 1e6, 3})}) {
    const auto queries = check::positions({4, 8, 0.5});
    const Array<S> out = bias<S>(parameters(d_bar, first, centred), queries, keys);
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < keys.extent(0); ++j) {
          double wanted = centred ? -d_bar / 2.0 : 0;
          for (int m = first; m < first + d_bar / 2; ++m)
            wanted += std::cos((queries(i, 0) - keys(j, 0)) * std::pow(1e4, -2.0 * m / d_bar));
          wanted /= 8.0 * static_cast<double>(h + 1) / H;
          // An angle of 1e6 is known to 1e-10.
          CHECK_THAT(static_cast<double>(out(h, i, j)), check::WithinAbs(wanted, sizeof(S) == 4 ? 1e-6 : 1e-9));
        }
  }
}

TEST_CASE("sandwich: with m from 0 it is the product of two sinusoidal codes") {
  constexpr Index D = 6, N = 7;
  const auto positions = check::consecutive(N);
  Array<double> codes({N, D});
  check::scheme("sinusoidal", {}, {D, 1, 512})->encode<double>(context, positions, {}, codes);
  const auto out = bias<double>(parameters(D, 0, false), positions, positions);
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j) {
      double product = 0;
      for (Index c = 0; c < D; ++c) product += codes(i, c) * codes(j, c);
      CHECK_THAT(out(H - 1, i, j), check::WithinAbs(product / 8, 1e-14));  // the last head divides by 8
    }
}

TEST_CASE("sandwich: 0 at distance 0, never above, flatter in later heads, not monotone") {
  const auto at = check::positions({300}), keys = check::consecutive(301);
  const auto out = bias<double>({}, at, keys);
  bool rises = false;
  for (Index j = 0; j < 301; ++j) {
    CHECK(out(0, 0, j) <= 0);
    CHECK(out(0, 0, j) >= -128.0 / (8.0 / H));
    CHECK_THAT(out(1, 0, j), check::WithinAbs(out(0, 0, j) / 2, 1e-12));
    rises |= j > 0 && out(0, 0, j) < out(0, 0, j - 1);
  }
  CHECK(out(0, 0, 300) == 0);
  CHECK(rises);
}

TEST_CASE("sandwich: claims, and what is refused") {
  const auto scheme = check::scheme("sandwich", {}, {32, 4, 512});
  for (const auto claim : {POSLAB_RELATIVE, POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED, POSLAB_SYMMETRIC})
    CHECK(scheme->claims(claim));
  CHECK(scheme->weights().empty());
  CHECK_THROWS_AS(bias<double>(parameters(7, 1, true), check::consecutive(1), check::consecutive(1)), data::Refused);
  CHECK_THROWS_WITH(bias<double>(parameters(7, 1, true), check::consecutive(1), check::consecutive(1)),
                    check::contains("even d_bar, not 7"));
  CHECK_THROWS_WITH(bias<double>(parameters(8, 2, true), check::consecutive(1), check::consecutive(1)),
                    check::contains("\"first_m\" is 2"));
}
