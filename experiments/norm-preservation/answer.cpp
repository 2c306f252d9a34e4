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

// How far the mean ratio at a position is from 1, over the repeats: of what is added, or of one side.
struct MeanChange {
  data::MeanAndError value;
  std::string of_what;
  double position = 0;
};

// At the position where it is farthest, and on that side: queries that grow and keys that shrink are both seen.
MeanChange worst_of(const Point& point) {
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
  MeanChange worst;
  for (const Side& side : sides)
    for (std::size_t p = 0; p < positions.size(); ++p) {
      data::MeanAndError at = point.mean(*side.ratio, static_cast<int>(p));
      at.mean -= 1;
      if (std::abs(at.mean) > std::abs(worst.value.mean) || worst.of_what.empty())
        worst = {at, side.name, positions[p]};
    }
  return worst;
}

// The range of what the lengths of single vectors become: "x 0.54, up to 1.36". Their mean may be 1 all the same.
std::vector<data::AnswerNumber> factors(double least, double most) {
  return {data::AnswerNumber::exact(least, 3, "x"), data::AnswerNumber::exact(most, 3, "up to")};
}

// Vectors that all grow by one factor c have inner products that change by c^2 - 1 of their norms at most.
bool is_one_factor(double least, double most, double isometry_error, double rounding) {
  return most - least <= 2 * rounding * most &&
         isometry_error <= std::abs(most * most - 1) + certainly_no_rounding * rounding;
}

}  // namespace

data::AnswerColumn NormPreservation::column() {
  return {"norms",
          "",
          "vectors keep lengths and inner products; in part: up to one factor",
          {{"x", "lengths are multiplied by this, or by at least this"},
           {"up to", "and by at most this"},
           {"products", "by how much inner products change"},
           deviation_word()},
          true};
}

data::Answer NormPreservation::answer(const Point& point) const {
  const double rounding = point.allowed(ratio_mean, 0, 0), allowed_angles = point.allowed(isometry_error, 0, 0);
  const double error = point.largest(isometry_error), least = point.smallest(ratio_min),
               most = point.largest(ratio_max);
  const std::string where = answer_text::where(point);
  const double length_change = std::max(1 - least, most - 1), deviation = std::max(error, length_change);
  const Deviation lengths = deviation_of(length_change, rounding), angles = deviation_of(error, allowed_angles);
  if (lengths == Deviation::rounding && angles == Deviation::rounding)
    return {data::Mark::yes,
            {},
            fmt::format("vectors keep their lengths and inner products: no inner product changes by more than {:.2g} "
                        "of the norms, which is rounding{}",
                        error, where)};
  if (deviation <= hardly)
    return {data::Mark::partly,
            {holds_to(deviation)},
            fmt::format("not exactly, but lengths and inner products change by {:.1g} of the norms at most, of which "
                        "float32 sees nothing{}",
                        deviation, where)};
  if (lengths != Deviation::certain && angles != Deviation::certain)
    return {data::Mark::cannot_tell,
            {holds_to(deviation)},
            fmt::format("it may be rounding or a small change: inner products change by up to {:.2g} of the norms{}",
                        error, where)};
  if (is_one_factor(least, most, error, rounding))
    return {data::Mark::partly,
            {data::AnswerNumber::exact(most, 8, "x")},
            fmt::format("all lengths change by one factor, {:.8g}, at every position{}", most, where)};
  if (lengths == Deviation::rounding)
    return {data::Mark::no,
            {data::AnswerNumber::exact(error, 2, "products")},
            fmt::format("vectors keep their lengths, but inner products change by up to {:.2g} of the norms{}", error,
                        where)};
  const MeanChange worst = worst_of(point);
  return {data::Mark::no, factors(least, most),
          fmt::format("lengths of single vectors become {:.3g} to {:.3g} of what they were; on average over contents "
                      "those of {} change at position {:g} by {} of themselves{}",
                      least, most, worst.of_what, worst.position, data::to_text(worst.value), where)};
}

}  // namespace poslab::experiments::norm_preservation
