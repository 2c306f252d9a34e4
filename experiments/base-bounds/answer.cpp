// SPDX-License-Identifier: Apache-2.0
// What base-bounds says of a variant: whether its base carries N positions, and the smallest that does.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::base_bounds {
namespace {

std::string about_the_sum(const Point& point, double N) {
  const data::MeanAndError first = point.mean("first_negative");
  if (first.values == 0) return fmt::format("the sum of its planes' cosines is negative at none of {:g} distances", N);
  return fmt::format("the sum of its planes' cosines is negative first at distance {:g}", first.mean);
}

std::string about_the_smallest(const Point& point, double N) {
  const data::MeanAndError smallest = point.mean("smallest_base");
  if (smallest.values == 0)
    return fmt::format("no base up to {:g} keeps it from that over {:g} positions (a higher highest_base may find one)",
                       point.axes.real("highest_base"), N);
  return fmt::format("the smallest base that keeps it from that over {:g} positions is {:.7g}", N, smallest.mean);
}

}  // namespace

data::AnswerColumn column() {
  return {"base", "", "no sum of cosines within N is negative; the number: the smallest base with which none is"};
}

data::Answer answer(const Point& point) {
  const double N = point.axes.real("length");
  if (N < 2) return {data::Mark::none, {}, "one position: there is no distance for a base to carry"};
  const double base = point.mean("base").mean, slowest = point.mean("slowest_angle").mean;
  const double rounding = 1 / point.mean("precision_base").mean;
  const data::MeanAndError smallest = point.mean("smallest_base");
  std::string sentence =
      fmt::format("base {:.7g}: {}; {}", base, about_the_sum(point, N), about_the_smallest(point, N));
  sentence += fmt::format(
      "; its slowest plane, of {:.3g} rad a position, makes {:.3g} turns in {:g} positions, and that angle is {} a "
      "rounding of 1 in {}",
      slowest, N * slowest / (2 * std::numbers::pi), N, slowest > rounding ? "more than" : "no more than",
      point.axes.text("format"));
  data::AnswerNumber number = data::AnswerNumber::exact(std::ceil(smallest.mean));
  if (smallest.values == 0)
    number = data::AnswerNumber::exact(point.axes.real("highest_base")).with_relation(data::Relation::above);
  return {point.mean("first_negative").values == 0 ? data::Mark::yes : data::Mark::no, {number}, sentence};
}

}  // namespace poslab::experiments::base_bounds
