// SPDX-License-Identifier: Apache-2.0
#include "trend.hpp"

#include <algorithm>

#include "poslab/experiments/precision.hpp"
#include "sequence.hpp"
#include "shape.hpp"

namespace poslab::experiments::distance_profile {
namespace {

// A fall that is surely less than this many standard deviations of content logits is none.
constexpr double negligible = 0.1;
// Standard errors within which a fall is taken to lie, and, of many steps, each step.
constexpr double sure = 3, sure_of_each = 5;
// So many repeats that all fall do so by chance in one case of 256: weights may be drawn so unevenly that the error
// of the mean is large while none of them rises.
constexpr std::size_t repeats_that_agree = 8;
// Of fewer repeats the error is itself too uncertain to excuse a step.
constexpr std::size_t fewest_repeats = 5;

data::MeanAndError fall_of(const Point& point, const std::string& contents) {
  data::MeanAndError fall = point.mean("fall_" + contents);
  // One repeat says nothing of its error, but its contents do.
  if (fall.values == 1 && contents != "ones") fall.error = point.mean("fall_error_" + contents).mean;
  return fall;
}

Trend trend_of(const data::MeanAndError& fall, double least, double greatest) {
  const double low = fall.mean - sure * fall.error, high = fall.mean + sure * fall.error;
  const bool are_many = fall.values >= repeats_that_agree;
  if (fall.values == 0) return Trend::undefined;
  if (low > negligible || (are_many && least > negligible)) return Trend::falls;
  if (high < -negligible || (are_many && greatest < -negligible)) return Trend::rises;
  if (low >= -negligible && high <= negligible) return Trend::flat;
  return Trend::unclear;
}

std::size_t place_of_0(const Point& point) {
  const std::vector<double>& distances = point.repeats.front()->coordinate_of("distance")->values;
  return static_cast<std::size_t>(std::find(distances.begin(), distances.end(), 0.0) - distances.begin());
}

// No step along which the mean over repeats rises by more than rounding and its own error.
bool falls_at_every_step(const Point& point, const std::string& contents) {
  const std::vector<const std::vector<double>*> curves = point.values("change_" + contents);
  const std::string& dtype = point.axes.text("dtype");
  for (std::size_t r = place_of_0(point); r + 1 < curves.front()->size(); ++r) {
    std::vector<double> rises;
    double slack = 0;
    for (const std::vector<double>* curve : curves) {
      rises.push_back((*curve)[r + 1] - (*curve)[r]);
      slack = std::max(slack, slack_of({(*curve)[r], (*curve)[r + 1]}, dtype));
    }
    const data::MeanAndError rise = data::mean_and_error(rises);
    const double excused = rise.values < fewest_repeats ? 0 : sure_of_each * rise.error;
    if (rise.mean > slack + excused) return false;
  }
  return true;
}

}  // namespace

std::vector<Finding> findings(const Point& point) {
  std::vector<Finding> found;
  for (const Contents kind : all_contents) {
    const std::string contents = to_text(kind);
    const data::MeanAndError fall = fall_of(point, contents);
    const Trend trend = trend_of(fall, point.smallest("fall_" + contents), point.largest("fall_" + contents));
    found.push_back({kind == Contents::ones ? "all-ones" : contents, trend, fall,
                     trend == Trend::falls && falls_at_every_step(point, contents)});
  }
  return found;
}

}  // namespace poslab::experiments::distance_profile
