// SPDX-License-Identifier: Apache-2.0
// What norm-preservation says of a variant: whether vectors keep their lengths and inner products, and by which factor
// their lengths change if not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "norm-preservation.hpp"
#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/nearly.hpp"

namespace poslab::experiments::norm_preservation {
namespace {

constexpr double certainly_no_rounding = 10;  // times the tolerance

// How far the mean ratio at a position is from 1, over the repeats: of what is added, or of one side.
struct Deviation {
  data::MeanAndError value;
  std::string of_what;
  double position = 0;
};

// At the position where it is farthest, and on that side: queries that grow and keys that shrink are both seen.
Deviation worst_of(const Point& point) {
  struct Side {
    const Measure<Position>* ratio;
    const char* name;
  };
  std::vector<Side> sides;
  for (const host::Side side : host::all_sides)
    if (const Measure<Position>* ratio = NormPreservation::of_sides[static_cast<int>(side)]; point.has(*ratio))
      sides.push_back({ratio, host::to_text(side)});
  if (sides.empty()) sides.push_back({&NormPreservation::ratio_mean, "vectors"});
  const std::vector<double>& positions = point.coordinate<Position>();
  Deviation worst;
  for (const Side& side : sides)
    for (std::size_t p = 0; p < positions.size(); ++p) {
      data::MeanAndError at = point.mean(*side.ratio, static_cast<int>(p));
      at.mean -= 1;
      if (std::abs(at.mean) > std::abs(worst.value.mean) || worst.of_what.empty())
        worst = {at, side.name, positions[p]};
    }
  return worst;
}

}  // namespace

data::AnswerColumn NormPreservation::column() {
  return {"norms", "",
          "vectors keep lengths and inner products; partly: up to one factor; number: its deviation from 1, at worst"};
}

data::Answer NormPreservation::answer(const Point& point) const {
  const double rounding = point.allowed(ratio_mean, 0, 0), error = point.largest(isometry_error);
  const double least = point.smallest(ratio_min), most = point.largest(ratio_max);
  const std::string where = answer_text::where(point);
  const double length_change = std::max(1 - least, most - 1);
  const double times_allowed = std::max(error / point.allowed(isometry_error, 0, 0), length_change / rounding);
  if (times_allowed <= 1)
    return {data::Mark::yes,
            {},
            fmt::format("vectors keep their lengths and inner products: no inner product changes by more than {:.2g} "
                        "of the norms, which is rounding{}",
                        error, where)};
  if (times_allowed <= certainly_no_rounding)
    return {data::Mark::cannot_tell,
            {},
            fmt::format("it may be rounding or a small change: inner products change by up to {:.2g} of the norms{}",
                        error, where)};
  if (const double deviation = std::max(error, length_change); deviation <= hardly)
    return {data::Mark::partly,
            {holds_to(deviation)},
            fmt::format("not exactly, but lengths and inner products change by {:.1g} of the norms at most, of which "
                        "float32 sees nothing{}",
                        deviation, where)};
  const Deviation worst = worst_of(point);
  const std::vector<data::AnswerNumber> number{data::AnswerNumber::of(worst.value)};
  if (most - least <= 2 * rounding * most)
    return {data::Mark::partly, number,
            fmt::format("all lengths change by one factor, 1 {} {:.4g}, at every position{}",
                        worst.value.mean < 0 ? "-" : "+", std::abs(worst.value.mean), where)};
  return {data::Mark::no, number,
          fmt::format("lengths of {} change at position {:g} by {} of themselves, on average over contents; those of "
                      "single vectors become {:.3g} to {:.3g} of what they were{}",
                      worst.of_what, worst.position, data::to_text(worst.value), least, most, where)};
}

}  // namespace poslab::experiments::norm_preservation
