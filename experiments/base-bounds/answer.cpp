// SPDX-License-Identifier: Apache-2.0
// What base-bounds says of a variant: whether its base carries N positions, and the smallest that does.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base-bounds.hpp"

namespace poslab::experiments::base_bounds {
namespace {

std::string about_the_sum(const data::MeanAndError& first, double N) {
  if (first.values == 0) return fmt::format("the sum of its planes' cosines is negative at none of {:g} distances", N);
  return fmt::format("the sum of its planes' cosines is negative first at distance {:g}", first.mean);
}

std::string about_the_smallest(const data::MeanAndError& smallest, double highest_base, double N) {
  if (smallest.values == 0)
    return fmt::format("no base up to {:g} keeps it from that over {:g} positions (a higher highest_base may find one)",
                       highest_base, N);
  return fmt::format("the smallest base that keeps it from that over {:g} positions is {:.7g}", N, smallest.mean);
}

}  // namespace

data::AnswerColumn BaseBounds::column() {
  return {"base", "", "no sum of cosines within N is negative; number: the smallest base with which none is"};
}

data::Answer BaseBounds::answer(const Point& point) const {
  const double N = static_cast<double>(length);
  if (length < 2) return {data::Mark::none, {}, "one position: there is no distance for a base to carry"};
  const double slowest = point.mean(slowest_angle).mean;
  const data::MeanAndError first = point.mean(first_negative), smallest = point.mean(smallest_base);
  std::string sentence = fmt::format("base {:.7g}: {}; {}", point.mean(base).mean, about_the_sum(first, N),
                                     about_the_smallest(smallest, highest_base, N));
  sentence += fmt::format(
      "; its slowest plane, of {:.3g} rad a position, makes {:.3g} turns in {:g} positions, and that angle is {} a "
      "rounding of 1 in {}",
      slowest, N * slowest / (2 * std::numbers::pi), N,
      slowest > 1 / point.mean(precision_base).mean ? "more than" : "no more than", facts_of(format).name);
  data::AnswerNumber number = data::AnswerNumber::exact(std::ceil(smallest.mean));
  if (smallest.values == 0) number = data::AnswerNumber::exact(highest_base).with_relation(data::Relation::above);
  return {first.values == 0 ? data::Mark::yes : data::Mark::no, {number}, sentence};
}

}  // namespace poslab::experiments::base_bounds
