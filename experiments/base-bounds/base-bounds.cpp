// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, J planes.
#include "base-bounds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "angles.hpp"
#include "curves.hpp"
#include "smallest_base.hpp"

namespace poslab::experiments {
namespace base_bounds {

Axes<BaseBounds> BaseBounds::axes() {
  const auto choice = [](Format which) { return Choice<Format>{which, facts_of(which).name}; };
  return {
      {&BaseBounds::length, length_axis(4096)},
      {&BaseBounds::depth,
       {.name = "depth",
        .default_value = 1,
        .range = from_one,
        .unit = "layers",
        .sentence = "how many layers rotate by the same angles, one after the other"}},
      {&BaseBounds::epsilon,
       {.name = "epsilon",
        .default_value = 0.5,
        .range = {.lowest = 0, .highest = 1, .above_lowest = true, .below_highest = true},
        .sentence = "what is to be left of the slowest plane's cosine after all layers"}},
      {&BaseBounds::format,
       {.name = "format",
        .choices = {choice(Format::float32), choice(Format::bfloat16), choice(Format::float16),
                    choice(Format::float64)},
        .sentence = "the numbers in which angles are worked out"}},
      {&BaseBounds::pretrained_base,
       {.name = "pretrained_base",
        .default_value = 0.0,
        .range = {.lowest = 0},
        .sentence = "the base with which the weights were pre-trained on N positions; 0: the scheme's own"}},
      {&BaseBounds::highest_base,
       {.name = "highest_base",
        .default_value = 1e12,
        .range = {.lowest = 1, .above_lowest = true},
        .sentence = "where the search for the smallest base ends"}},
  };
}

namespace {

void record_closed_forms(const BaseBounds& at, const Angles& angles, Output& out) {
  const double N = static_cast<double>(at.length), J = static_cast<double>(angles.of_planes.size());
  const double base = angles.base, phase = phase_allowed(at.epsilon, static_cast<double>(at.depth));
  const double dimension = critical_dimension(at.pretrained_base > 0 ? at.pretrained_base : base, J, N);
  out.set(BaseBounds::base, base);
  out.set(BaseBounds::slowest_angle, angles.of_planes.back());
  out.set(BaseBounds::aliasing_length, circle * base);
  out.set(BaseBounds::aliasing_base, N / circle);
  out.set(BaseBounds::cosine_length, base * phase);
  out.set(BaseBounds::cosine_base, N / phase);
  out.set(BaseBounds::precision_base, 1 / facts_of(at.format).epsilon);
  out.set(BaseBounds::critical_dimension, dimension);
  out.set(BaseBounds::extrapolation_length, circle * std::pow(base, dimension / (2 * J)));
  out.set(BaseBounds::interpolation_bound, 1 / (32 * std::log(base)));
}

void record_searches(const BaseBounds& at, const Angles& angles, Output& out) {
  out.set(BaseBounds::interpolation_error, interpolation_error(angles.of_planes));
  if (const auto smallest = smallest_base(std::ssize(angles.of_planes), at.length, at.highest_base))
    out.set(BaseBounds::smallest_base, *smallest);
  const Cosines found = cosines(angles.of_planes, at.length);
  out.set(BaseBounds::least_cosine, found.least);
  if (found.first_negative) out.set(BaseBounds::first_negative, static_cast<double>(*found.first_negative));
  const LeastBound least = least_bound(angles.of_planes, at.length);
  out.set(BaseBounds::least_bound, least.bound);
  out.set(BaseBounds::least_bound_distance, static_cast<double>(least.distance));
}

}  // namespace

void BaseBounds::run(const ExperimentInput& input, Output& out) const {
  const Angles angles = angles_of(input.scheme);
  record_closed_forms(*this, angles, out);
  record_searches(*this, angles, out);
}

std::optional<base::Refusal> BaseBounds::why_skip(const Setting& of) const {
  if (!of.placement.is_plain())
    return fmt::format("positions = {}: the bounds are of distances 0 .. N - 1 along one axis", of.placement.text());
  if (phase_allowed(epsilon, static_cast<double>(depth)) <= 0)
    return fmt::format(
        "epsilon {:g} to the power 1 / {} is 1 in float64: no angle keeps that cosine; take a smaller one", epsilon,
        depth);
  if (pretrained_base > 0 && pretrained_base <= 1)
    return fmt::format("pretrained_base {:g}: the bounds need a base above 1, or 0 for the scheme's own",
                       pretrained_base);
  return why_no_base(of.scheme);
}

// Some 200 looks at all distances, of two multiplications each; then a sine and a cosine twice for each of them.
data::Estimate BaseBounds::estimate(const Setting& of) const {
  const double N = static_cast<double>(length), J = static_cast<double>(of.scheme.inverse_frequency().size());
  return {8 * (2 * N + 3 * 64 * J), N * J * (200 * 4 + 150) + 1e4 * J * 200};
}

}  // namespace base_bounds

Experiment make_base_bounds() { return experiment_of<base_bounds::BaseBounds>(); }

}  // namespace poslab::experiments
