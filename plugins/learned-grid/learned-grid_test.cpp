// SPDX-License-Identifier: Apache-2.0
// Its formula is also held by the golden cases of tests/golden/made.py. Dimension letters: D model width.
#include "poslab/base/error.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index D = 3;
const host::Context context{64, 512, false};
using Grid = std::vector<double>;

struct Kind {
  const char* method;
  bool antialias, align_corners;
};
const Kind kinds[] = {{"bicubic", false, false}, {"bilinear", false, false}, {"bicubic", true, false},
                      {"bilinear", true, false}, {"bicubic", false, true},   {"bilinear", false, true}};

std::unique_ptr<host::Scheme> scheme_of(const Kind& kind, const Grid& trained, const Grid& grid, double offset = 0) {
  return check::scheme("learned-grid",
                       {{"trained_grid", Value(trained)},
                        {"grid", Value(grid)},
                        {"method", Value(std::string(kind.method))},
                        {"antialias", Value(kind.antialias)},
                        {"align_corners", Value(kind.align_corners)},
                        {"offset", Value(offset)}},
                       {D, 1, 512});
}

Array<double> places(Index rows, Index columns) {
  Array<double> positions({rows * columns, 2});
  for (Index n = 0; n < rows * columns; ++n) {
    positions(n, 0) = static_cast<double>(n / columns);
    positions(n, 1) = static_cast<double>(n % columns);
  }
  return positions;
}

Array<double> codes(const host::Scheme& scheme, const Array<double>& positions, const host::Weights<double>& weights) {
  Array<double> out({positions.extent(0), D});
  scheme.encode<double>(context, positions, weights.layer(0), out);
  return out;
}

// The code of place i of a column of places, where old place `at` is 1 and all others 0.
double weight_of(const Kind& kind, int old, int count, int i, int at, double offset = 0) {
  const auto scheme = scheme_of(kind, {static_cast<double>(old), 1}, {static_cast<double>(count), 1}, offset);
  host::Weights<double> weights(scheme->weights(), 1);
  weights.arrays()[0][0](at, 0, 0) = 1;
  Array<double> position({1, 2});
  position(0, 0) = i;
  return codes(*scheme, position, weights)(0, 0);
}

}  // namespace

TEST_CASE("learned-grid: the trained grid is the table, to the bit") {
  const Kind kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  const auto scheme = scheme_of(kind, {3, 5}, {3, 5});
  const auto weights = check::random_weights<double>(*scheme, "w");
  const auto out = codes(*scheme, places(3, 5), weights);
  for (Index n = 0; n < 15; ++n)
    for (Index d = 0; d < D; ++d) CHECK(out(n, d) == weights.arrays()[0][0](n / 5, n % 5, d));
}

TEST_CASE("learned-grid: weights sum to 1, bilinear, what rises evenly goes on doing so between the ends") {
  const Kind kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  const Index rows = GENERATE(2, 7, 15);
  const auto scheme = scheme_of(kind, {8, 4}, {static_cast<double>(rows), 3});
  host::Weights<double> weights(scheme->weights(), 1);
  for (Index y = 0; y < 8; ++y)
    for (Index x = 0; x < 4; ++x) {
      weights.arrays()[0][0](y, x, 0) = 1;
      weights.arrays()[0][0](y, x, 1) = static_cast<double>(y);
    }
  const auto out = codes(*scheme, places(rows, 3), weights);
  for (Index n = 0; n < 3 * rows; ++n) {
    CHECK_THAT(out(n, 0), check::WithinAbs(1, 1e-14));
    const auto i = static_cast<double>(n / 3), count = static_cast<double>(rows);
    const double at = kind.align_corners ? i * 7 / (count - 1) : 8 / count * (i + 0.5) - 0.5;
    if (at > 2 && at < 5 && !kind.antialias && kind.method == std::string("bilinear"))
      CHECK_THAT(out(n, 1), check::WithinAbs(at, 1e-13));
  }
}

TEST_CASE("learned-grid: half as many places: two old ones, four, or all under the filter") {
  const auto row = [](const Kind& kind) {  // of place 2 of 4, at 4.5 between 8
    std::vector<double> weights;
    for (int at = 0; at < 8; ++at) weights.push_back(weight_of(kind, 8, 4, 2, at));
    return weights;
  };
  const auto is = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    for (std::size_t i = 0; i < 8; ++i) CHECK_THAT(found[i], check::WithinAbs(wanted[i], 1e-15));
  };
  is(row({"bilinear", false, false}), {0, 0, 0, 0, 0.5, 0.5, 0, 0});
  is(row({"bicubic", false, false}), {0, 0, 0, -0.09375, 0.59375, 0.59375, -0.09375, 0});
  is(row({"bilinear", true, false}), {0, 0, 0, 0.125, 0.375, 0.375, 0.125, 0});
  const double near = 0.8671875, far = 0.2265625;       // Keys' cubic with A = -1/2, at 1/4 and 3/4
  const double beyond = -0.0703125, last = -0.0234375;  // at 5/4 and 7/4
  const double sum = 2 * (near + far + beyond) + last;  // the place 7/4 to the other side is beyond the end
  is(row({"bicubic", true, false}),
     {0, last / sum, beyond / sum, far / sum, near / sum, near / sum, far / sum, beyond / sum});
}

TEST_CASE("learned-grid: beyond the ends the last place counts again, or nothing does") {
  CHECK_THAT(weight_of({"bilinear", false, false}, 4, 8, 0, 0), check::WithinAbs(1, 1e-15));          // at -1/4
  CHECK_THAT(weight_of({"bicubic", false, false}, 4, 8, 7, 3), check::WithinAbs(1.10546875, 1e-15));  // at 3 1/4
  CHECK_THAT(weight_of({"bilinear", true, false}, 4, 8, 0, 0), check::WithinAbs(1, 1e-15));
}

TEST_CASE("learned-grid: DINOv2's offset makes the step smaller") {
  const double step = 4 / 8.1, at = step * 3.5 - 0.5;  // between old places 1 and 2
  const double x = at - 1;
  const double cubic = ((-0.75 + 2) * x - (-0.75 + 3)) * x * x + 1;
  CHECK_THAT(weight_of({"bicubic", false, false}, 4, 8, 3, 1, 0.1), check::WithinAbs(cubic, 1e-14));
  const auto scheme = scheme_of(kinds[0], {4, 4}, {4, 4}, 0.1);
  const auto weights = check::random_weights<double>(*scheme, "w");
  double away = 0;
  const auto out = codes(*scheme, places(4, 4), weights);
  for (Index i = 0; i < out.size(); ++i)
    away = std::max(away, std::abs(out.data()[i] - weights.arrays()[0][0].data()[i]));
  CHECK(away > 0.01);
}

TEST_CASE("learned-grid: gradients are those of central differences") {
  const Kind kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  const auto scheme = scheme_of(kind, {4, 3}, {3, 5});
  auto weights = check::random_weights<double>(*scheme, "w");
  const auto positions = places(3, 5);
  const auto seed = check::random({15, D}, "gradient");
  const auto loss = [&] { return check::inner(codes(*scheme, positions, weights), seed); };
  host::Weights<double> gradient(scheme->weights(), 1);
  scheme->encode_gradient<double>(context, positions, std::as_const(weights).layer(0), seed, gradient.layer(0));
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], gradient.arrays()[0][0]));
}

TEST_CASE("learned-grid: what is refused") {
  const auto refuses = [](const data::Values& values, const char* sentence) {
    CHECK_THROWS_WITH(check::scheme("learned-grid", values, {D, 1, 512}), check::contains(sentence));
  };
  refuses({{"grid", Value(Grid{4})}}, "two numbers, rows and columns, not 1");
  refuses({{"grid", Value(Grid{4, 4.5})}}, "whole numbers of patches, not 4.5");
  refuses({{"antialias", Value(true)}, {"align_corners", Value(true)}}, "does not go with align_corners");
  refuses({{"offset", Value(0.1)}, {"method", Value(std::string("bilinear"))}}, "offset is DINOv2's");
  refuses({{"offset", Value(0.1)}, {"align_corners", Value(true)}}, "offset is DINOv2's");
  refuses({{"offset", Value(0.1)}, {"antialias", Value(true)}}, "offset is DINOv2's");
  const auto scheme = scheme_of(kinds[0], {4, 4}, {2, 5});
  const host::Weights<double> weights(scheme->weights(), 1);
  Array<double> position({1, 2});
  position(0, 0) = 2;
  CHECK_THROWS_WITH(codes(*scheme, position, weights), check::contains("row 2 is beyond the grid, which has 2"));
  position(0, 0) = 1, position(0, 1) = 5;
  CHECK_THROWS_AS(codes(*scheme, position, weights), base::Error);
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_RELATIVE));
}
