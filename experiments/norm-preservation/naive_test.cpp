// SPDX-License-Identifier: Apache-2.0
// All measures of norm-preservation once more, by plain loops over the definitions, on 1000 random small cases.
// Dimension letters: N positions, C contents, D model width, H heads, K head width.
#include <cmath>

#include "catch.hpp"
#include "naive_scheme.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using small_cases::Dice;
using small_cases::difference;

struct Measures {
  Numbers mean, least, most, of_side[4], angle, share;
  double isometry_error = 0, largest_entry = 0;
};

// What became of x and y at one position.
struct Moved {
  Numbers x, y, moved_x, moved_y;
};

Numbers part(const Numbers& row, std::size_t first, std::size_t width) {
  const auto from = row.begin() + static_cast<std::ptrdiff_t>(first);
  return {from, from + static_cast<std::ptrdiff_t>(width)};
}

std::vector<Moved> moved_at(const Sight& sight, const Numbers& position, const Rows& x, const Rows& y) {
  const Subject& of = sight.of;
  std::vector<Moved> all;
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (of.has(Operation::encode)) {
      Moved moved{x[c], y[c], x[c], y[c]};
      const Numbers code = sight.codes({position})[0];
      for (std::size_t k = 0; k < of.D; ++k) moved.moved_x[k] += code[k], moved.moved_y[k] += code[k];
      all.push_back(moved);
      continue;
    }
    for (const host::Side side : host::all_sides) {
      if (!of.scheme.transforms(side)) continue;
      const Heads a = sight.transformed(side, {position}, split({x[c]}, of.H)),
                  b = sight.transformed(side, {position}, split({y[c]}, of.H));
      for (std::size_t h = 0; h < of.H; ++h)
        all.push_back({part(x[c], h * of.K, of.K), part(y[c], h * of.K, of.K), a[h][0], b[h][0]});
    }
  }
  return all;
}

// The sine of an angle is what of the sum lies across x, the cosine what lies along it.
double angle(const Numbers& x, const Numbers& sum) {
  double across = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i + 1; j < x.size(); ++j) across += std::pow(x[i] * sum[j] - x[j] * sum[i], 2);
  return std::atan2(std::sqrt(across), product(x, sum));
}

Measures measures(const cells::Cell& cell, Index N, Index C, double deviation) {
  const Subject of(cell, N);
  const Sight sight{of, {N, cell.model.train_length, of.scheme.mask() == host::Mask::causal_only}};
  Rows x = unpacked(of.draws.normal("x", {C, cell.model.model_width})),
       y = unpacked(of.draws.normal("y", {C, cell.model.model_width}));
  for (Rows* contents : {&x, &y})
    for (Numbers& row : *contents)
      for (double& entry : row) entry *= deviation;
  Measures out;
  for (const Numbers& position : of.positions) {
    double sum = 0, least = 1e300, most = 0, angles = 0, count = 0;
    for (const Moved& moved : moved_at(sight, position, x, y)) {
      const double ratio = norm(moved.moved_x) / norm(moved.x);
      sum += ratio, count += 1;
      least = std::min(least, ratio), most = std::max(most, ratio);
      angles += angle(moved.x, moved.moved_x);
      const double change = std::abs(product(moved.moved_x, moved.moved_y) - product(moved.x, moved.y));
      out.isometry_error = std::max(out.isometry_error, change / (norm(moved.x) * norm(moved.y)));
    }
    out.mean.push_back(sum / count), out.least.push_back(least), out.most.push_back(most);
    if (!of.has(Operation::encode)) {
      std::vector<std::size_t> sides;
      for (std::size_t side = 0; side < 4; ++side)
        if (of.scheme.transforms(host::all_sides[side])) sides.push_back(side), out.of_side[side].push_back(0);
      std::size_t vector = 0;  // for each content a side's heads stand together
      for (const Moved& moved : moved_at(sight, position, x, y))
        out.of_side[sides[vector++ / of.H % sides.size()]].back() +=
            norm(moved.moved_x) / norm(moved.x) / static_cast<double>(x.size() * of.H);
      continue;
    }
    const Numbers code = sight.codes({position})[0];
    out.angle.push_back(angles / count);
    out.share.push_back(product(code, code) /
                        (product(code, code) + static_cast<double>(of.D) * deviation * deviation));
    for (const double entry : code) out.largest_entry = std::max(out.largest_entry, std::abs(entry));
  }
  return out;
}

}  // namespace

TEST_CASE("norm preservation by plain loops, 1000 small cases") {
  Dice dice("norm preservation");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("norm-preservation", "length", 9);
    cell.axes.set("contents", poslab::data::Value(dice.between(1, 4)));
    cell.axes.set("embedding_std", poslab::data::Value(dice.real(0.5, 3)));
    return cell;
  };
  small_cases::for_1000(draw, [](const cells::Cell& cell, const cells::Answer& answer) {
    const Measures plain =
        measures(cell, cell.axes.integer("length"), cell.axes.integer("contents"), cell.axes.real("embedding_std"));
    REQUIRE(difference(cell, answer, "ratio_mean", plain.mean) == "");
    REQUIRE(difference(cell, answer, "ratio_min", plain.least) == "");
    REQUIRE(difference(cell, answer, "ratio_max", plain.most) == "");
    REQUIRE(difference(cell, answer, "ratio_queries", plain.of_side[0]) == "");
    REQUIRE(difference(cell, answer, "ratio_keys", plain.of_side[1]) == "");
    REQUIRE(difference(cell, answer, "ratio_values", plain.of_side[2]) == "");
    REQUIRE(difference(cell, answer, "ratio_outputs", plain.of_side[3]) == "");
    REQUIRE(difference(cell, answer, "isometry_error", {plain.isometry_error}) == "");
    REQUIRE(difference(cell, answer, "angle", plain.angle) == "");
    REQUIRE(difference(cell, answer, "position_share", plain.share) == "");
    const Numbers largest = plain.angle.empty() ? Numbers{} : Numbers{plain.largest_entry};
    REQUIRE(difference(cell, answer, "max_abs", largest) == "");
  });
}
