// SPDX-License-Identifier: Apache-2.0
#include "trend.hpp"

#include <algorithm>
#include <cmath>

#include "distance-profile.hpp"
#include "poslab/experiment/precision.hpp"
#include "shape.hpp"

namespace poslab::experiments::distance_profile {
namespace {

// A fall that is surely less than this many standard deviations of content logits is none, unless it is exact.
constexpr double negligible = 0.1;
// Standard errors within which each of many steps, or a fall that is as good as exact, is taken to lie.
constexpr double sure_of_each = 5;
// So many repeats that all fall do so by chance in one case of 256: weights may be drawn so unevenly that the error
// of the mean is large while none of them rises.
constexpr std::size_t repeats_that_agree = 8;
// A fall of which less than this share is left from distance 1 on is all of the own key.
constexpr double share_of_others = 0.1;
// With fewer repeats the error is itself too uncertain to excuse a step.
constexpr std::size_t fewest_repeats = 5;

// The fall for contents of one kind, with what can be told of it.
struct Fall {
  data::MeanAndError mean;
  std::size_t repeats;
  double least, greatest;  // of the repeats
  bool is_exact;           // nothing was drawn

  bool surely_above(double x) const { return mean.mean > x && (is_exact || data::differs_from(mean, x)); }
  bool surely_below(double x) const { return mean.mean < x && (is_exact || data::differs_from(mean, x)); }
  bool are_many() const { return repeats >= repeats_that_agree; }
};

Fall fall_of(const DistanceProfile& at, const Point& point, const ProfileMeasures& of) {
  const data::MeanAndError mean = point.mean(of.fall);
  Fall fall{mean, mean.values, point.smallest(of.fall), point.largest(of.fall),
            of.contents == Contents::ones && !point.untrained};
  fall.is_exact = fall.is_exact && fall.mean.error == 0;
  if (fall.mean.values != 1 || point.untrained || fall.is_exact) return fall;
  // One repeat says nothing of its error, but its contents do.
  const double error = point.mean(of.fall_error).mean;
  if (!std::isnan(error)) fall.mean = {static_cast<std::size_t>(at.contents), fall.mean.mean, error};
  return fall;
}

Trend trend_from_0(const Fall& fall, bool is_steady) {
  if (fall.mean.values == 0) return Trend::undefined;
  if (fall.surely_above(negligible) || (fall.are_many() && fall.least > negligible)) return Trend::falls;
  if (fall.surely_below(-negligible) || (fall.are_many() && fall.greatest < -negligible)) return Trend::rises;
  if (is_steady && fall.surely_above(0) && fall.mean.mean > sure_of_each * fall.mean.error) return Trend::falls_little;
  if (fall.surely_above(-negligible) && fall.surely_below(negligible)) return Trend::flat;
  return Trend::unclear;
}

std::size_t place_of_0(const Point& point) {
  const std::vector<double>& distances = point.coordinate<Distance>();
  return static_cast<std::size_t>(std::find(distances.begin(), distances.end(), 0.0) - distances.begin());
}

// The fall from distance 1 on, to the same far distances, of each repeat. Drawn or not as the fall is; one repeat of
// contents has the error of its contents' falls.
Fall fall_after_own(const Point& point, const ProfileMeasures& of, const Fall& from_0) {
  std::vector<double> falls;
  const std::size_t own = place_of_0(point);
  for (const std::vector<double>* curve : point.values(of.change)) {
    const std::vector<double> back(curve->begin() + static_cast<std::ptrdiff_t>(own), curve->end());
    if (back.size() > 2) falls.push_back(fall(back) - back[0] + back[1]);
  }
  Fall after = from_0;
  after.mean = data::mean_and_error(falls);
  after.repeats = falls.size();
  if (falls.empty()) return after;
  after.least = *std::min_element(falls.begin(), falls.end());
  after.greatest = *std::max_element(falls.begin(), falls.end());
  after.is_exact = from_0.is_exact && after.mean.error == 0;
  if (falls.size() == 1) after.mean.values = from_0.mean.values, after.mean.error = from_0.mean.error;
  return after;
}

// The lowest of the mean changes beyond distance 1, less that at 1.
double lowest_after_own(const Point& point, const Measure<Distance>& change) {
  const auto own = static_cast<int>(place_of_0(point)), end = static_cast<int>(point.coordinate<Distance>().size());
  double lowest = 0;
  for (int r = own + 2; r < end; ++r)
    lowest = std::min(lowest, point.mean(change, r).mean - point.mean(change, own + 1).mean);
  return lowest;
}

// What is so from distance 1 on may be hidden, or made, by the own key alone. That makes a fall where the others are
// surely level or rise, and none of them is lower than the nearest.
Trend trend_of(const Fall& fall, const Fall& after_own, bool is_steady, double lowest_after_own) {
  const Trend from_0 = trend_from_0(fall, is_steady), after = trend_from_0(after_own, false);
  if ((from_0 == Trend::rises || from_0 == Trend::flat) && after == Trend::falls) return Trend::falls_after_own;
  const bool is_own = (after == Trend::flat || after == Trend::rises) && lowest_after_own > -negligible &&
                      after_own.mean.mean < share_of_others * fall.mean.mean;
  return from_0 == Trend::falls && is_own ? Trend::own_alone : from_0;
}

// The rises of a curve along its steps from distance 0 on, and what of them rounding may be.
struct Steps {
  std::vector<double> rise, slack;
};

std::vector<Steps> steps_of(const Point& point, const Measure<Distance>& change, Dtype dtype) {
  std::vector<Steps> of_repeats;
  for (const std::vector<double>* curve : point.values(change)) {
    Steps steps;
    for (std::size_t r = place_of_0(point); r + 1 < curve->size(); ++r) {
      steps.rise.push_back((*curve)[r + 1] - (*curve)[r]);
      steps.slack.push_back(slack_of({(*curve)[r], (*curve)[r + 1]}, dtype));
    }
    of_repeats.push_back(std::move(steps));
  }
  return of_repeats;
}

// Whether the mean over repeats rises along a step by more than rounding and its own error.
bool rises_along(const std::vector<Steps>& of_repeats, std::size_t r) {
  std::vector<double> rises;
  double slack = 0;
  for (const Steps& steps : of_repeats) {
    rises.push_back(steps.rise[r]);
    slack = std::max(slack, steps.slack[r]);
  }
  const data::MeanAndError rise = data::mean_and_error(rises);
  return rise.mean > slack + (rise.values < fewest_repeats ? 0 : sure_of_each * rise.error);
}

// Along how many steps from `first` on it does not.
std::size_t steps_down(const std::vector<Steps>& of_repeats, std::size_t first) {
  std::size_t down = 0;
  for (std::size_t r = first; r < of_repeats.front().rise.size(); ++r) down += !rises_along(of_repeats, r);
  return down;
}

// In each repeat, by more than rounding, and up no step.
bool falls_exactly(const std::vector<Steps>& of_repeats) {
  return std::all_of(of_repeats.begin(), of_repeats.end(), [](const Steps& steps) {
    double fallen = 0, slack = 0;
    for (std::size_t r = 0; r < steps.rise.size(); ++r) {
      if (steps.rise[r] > steps.slack[r]) return false;
      fallen -= steps.rise[r], slack = std::max(slack, steps.slack[r]);
    }
    return fallen > slack;
  });
}

}  // namespace

bool is_one_draw(const Point& point) { return point.untrained && point.repeats.size() == 1; }

std::vector<Finding> findings(const DistanceProfile& at, const Point& point) {
  std::vector<Finding> found;
  for (const ProfileMeasures* of : DistanceProfile::all_contents) {
    const Fall fall = fall_of(at, point, *of), after = fall_after_own(point, *of, fall);
    const std::vector<Steps> steps = steps_of(point, of->change, at.dtype);
    const Trend trend = trend_of(fall, after, falls_exactly(steps), lowest_after_own(point, of->change));
    const std::size_t all = steps.front().rise.size();
    found.push_back({of->contents, of->called, trend, fall.mean, trend == Trend::falls && steps_down(steps, 0) == all,
                     after.mean, all > 0 ? all - 1 : 0, steps_down(steps, 1)});
  }
  return found;
}

Heads heads_of(const Point& point) {
  const std::vector<const std::vector<double>*> of_repeats = point.values(DistanceProfile::ones.head_fall);
  if (of_repeats.empty() || (point.untrained && of_repeats.size() < repeats_that_agree)) return {};
  Heads heads{of_repeats.front()->size()};
  for (std::size_t h = 0; h < heads.all; ++h) {
    const auto in_every = [&](auto test) {
      return std::all_of(of_repeats.begin(), of_repeats.end(), [&](const auto* falls) { return test((*falls)[h]); });
    };
    heads.falling += in_every([](double fall) { return fall > negligible; });
    heads.rising += in_every([](double fall) { return fall < -negligible; });
  }
  return heads;
}

}  // namespace poslab::experiments::distance_profile
