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

Trend trend_of(const Fall& fall, bool is_steady) {
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

// No step along which the mean over repeats rises by more than rounding and its own error.
bool falls_at_every_step(const std::vector<Steps>& of_repeats) {
  for (std::size_t r = 0; r < of_repeats.front().rise.size(); ++r) {
    std::vector<double> rises;
    double slack = 0;
    for (const Steps& steps : of_repeats) {
      rises.push_back(steps.rise[r]);
      slack = std::max(slack, steps.slack[r]);
    }
    const data::MeanAndError rise = data::mean_and_error(rises);
    const double excused = rise.values < fewest_repeats ? 0 : sure_of_each * rise.error;
    if (rise.mean > slack + excused) return false;
  }
  return true;
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
    const Fall fall = fall_of(at, point, *of);
    const std::vector<Steps> steps = steps_of(point, of->change, at.dtype);
    const Trend trend = trend_of(fall, falls_exactly(steps));
    found.push_back({of->contents, of->called, trend, fall.mean, trend == Trend::falls && falls_at_every_step(steps)});
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
