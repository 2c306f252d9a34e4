// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

data::Values layout(const char* name) { return {{"layout", Value(name)}}; }

template <class S = double>
Array<S> codes(const data::Values& parameters, Index D, const Array<double>& positions) {
  Array<S> out({positions.extent(0), D});
  check::scheme("sincos-2d", parameters, {D, 1, 512})->encode<S>(context, positions, {}, out);
  return out;
}

// A few positions of a grid, one between the integers, one far away; A of (2, 5, 7), ...
Array<double> positions(Index A) {
  const double numbers[4][3] = {{0, 0, 0}, {2, 5, 7}, {0.5, -3, 1}, {1e6, 12345, 3}};
  Array<double> out({4, A});
  for (Index n = 0; n < 4; ++n)
    for (Index a = 0; a < A; ++a) out(n, a) = numbers[n][a];
  return out;
}

double product(const Array<double>& rows, Index m, Index n) {
  double sum = 0;
  for (Index c = 0; c < rows.extent(1); ++c) sum += rows(m, c) * rows(n, c);
  return sum;
}

}  // namespace

TEST_CASE("sincos-2d: MAE and MoCo v3 put the column into the first half") {
  const bool mae = GENERATE(true, false);
  const Index D = GENERATE(8, 12, 20);
  const double temperature = GENERATE(1e4, 30.0);
  const Index n = D / 4;
  const auto at = positions(2);
  const auto rows = codes({{"layout", Value(mae ? "mae" : "moco-v3")}, {"temperature", Value(temperature)}}, D, at);
  for (Index p = 0; p < 4; ++p)
    for (Index c = 0; c < D; ++c) {
      const Index quarter = c / n, m = c % n;
      const long double w = std::pow(static_cast<long double>(temperature),
                                     -static_cast<long double>(m) / static_cast<long double>(mae ? n : n - 1));
      const long double angle = static_cast<long double>(at(p, quarter < 2 ? 1 : 0)) * w;
      const double close = 1e-15 + 3e-16 * std::abs(at(p, quarter < 2 ? 1 : 0));
      CHECK_THAT(rows(p, c),
                 check::WithinAbs(static_cast<double>(quarter % 2 == 0 ? std::sin(angle) : std::cos(angle)), close));
    }
}

TEST_CASE("sincos-2d: a timing signal takes the axes as they come, and leaves the rest zero") {
  const Index D = GENERATE(12, 14, 23), A = GENERATE(1, 2, 3);
  const Index n = D / (2 * A);
  const auto at = positions(A);
  const auto rows = codes(
      {{"layout", Value("timing-signal")}, {"min_timescale", Value(2.0)}, {"max_timescale", Value(500.0)}}, D, at);
  for (Index p = 0; p < 4; ++p)
    for (Index c = 0; c < D; ++c) {
      const Index a = c / (2 * n), m = c % n;
      if (a >= A) {
        CHECK(rows(p, c) == 0);
        continue;
      }
      const double f = 2 * std::exp(-static_cast<double>(m) * std::log(250.0) / static_cast<double>(n - 1));
      const double wanted = c % (2 * n) < n ? std::sin(at(p, a) * f) : std::cos(at(p, a) * f);
      CHECK_THAT(rows(p, c), check::WithinAbs(wanted, 1e-13 + 1e-15 * std::abs(at(p, a))));
    }
}

TEST_CASE("sincos-2d: one norm for all, products that depend on the offset, and none shared by rows and columns") {
  const char* name = GENERATE("mae", "moco-v3", "timing-signal");
  const auto scheme = check::scheme("sincos-2d", layout(name), {32, 4, 64});
  for (const poslab_claim claim : {POSLAB_CONTENT_FREE, POSLAB_LENGTH_FREE, POSLAB_BOUNDED, POSLAB_CONSTANT_NORM})
    CHECK(scheme->claims(claim));
  CHECK(scheme->unique_up_to() == INFINITY);
  Array<double> at({4, 2});
  const double numbers[4][2] = {{3, 4}, {10, 6}, {103, 54}, {110, 56}};  // the same offset twice
  for (Index n = 0; n < 4; ++n) at(n, 0) = numbers[n][0], at(n, 1) = numbers[n][1];
  const auto rows = codes(layout(name), 32, at);
  for (Index n = 0; n < 4; ++n) CHECK_THAT(product(rows, n, n), check::WithinRel(16.0, 1e-14));
  CHECK_THAT(product(rows, 0, 1), check::WithinAbs(product(rows, 2, 3), 1e-12));
  Array<double> swapped({1, 2});
  swapped(0, 0) = 4, swapped(0, 1) = 3;
  CHECK(std::abs(codes(layout(name), 32, swapped)(0, 0) - rows(0, 0)) > 0.1);
}

TEST_CASE("sincos-2d: float32 is float64 rounded once") {
  const auto at = positions(2);
  const auto exact = codes(layout("mae"), 12, at);
  const auto rounded = codes<float>(layout("mae"), 12, at);
  for (Index i = 0; i < exact.size(); ++i) CHECK(rounded.data()[i] == static_cast<float>(exact.data()[i]));
}

TEST_CASE("sincos-2d: what is refused") {
  const auto make = [](const char* name, Index D) { return check::scheme("sincos-2d", layout(name), {D, 1, 512}); };
  CHECK_THROWS_WITH(make("mae", 10), check::contains("multiple of 4 and at least 4, not 10"));
  CHECK_THROWS_WITH(make("moco-v3", 4), check::contains("multiple of 4 and at least 8, not 4"));
  CHECK_THROWS_WITH(make("timing-signal", 3), check::contains("at least 4, two frequencies an axis, not 3"));
  CHECK_THROWS_AS(check::scheme("sincos-2d", {{"temperature", Value(0.0)}}, {8, 1, 512}), base::Error);
  CHECK_THROWS_WITH(
      check::scheme("sincos-2d", {{"layout", Value("timing-signal")}, {"max_timescale", Value(0.5)}}, {8, 1, 512}),
      check::contains("max_timescale must be above min_timescale 1, not 0.5"));
  CHECK_THROWS_WITH(codes(layout("mae"), 8, positions(1)), check::contains("serves positions of 2 axes, not of 1"));
  CHECK_THROWS_WITH(codes(layout("timing-signal"), 11, positions(3)),
                    check::contains("serves positions of 1 to 2 axes, not of 3"));
}
