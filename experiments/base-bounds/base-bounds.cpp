// SPDX-License-Identifier: Apache-2.0
// Is the base of a scheme's angles large enough for this length, by which bound? Definitions: base-bounds.md.
// Dimension letters: N positions, J planes.
#include <fmt/format.h>

#include <cmath>

#include "angles.hpp"
#include "closed_forms.hpp"
#include "curves.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "smallest_base.hpp"

namespace poslab::experiments {
namespace base_bounds {
namespace {

void record_closed_forms(const Angles& angles, const data::Values& axes, data::Record& record) {
  const double N = axes.real("length"), J = static_cast<double>(angles.of_planes.size()), base = angles.base;
  const double phase = phase_allowed(axes.real("epsilon"), axes.real("depth"));
  const double given = axes.real("pretrained_base"), dimension = critical_dimension(given > 0 ? given : base, J, N);
  record.scalar("base", base);
  record.scalar("slowest_angle", angles.of_planes.back());
  record.scalar("aliasing_length", circle * base);
  record.scalar("aliasing_base", N / circle);
  record.scalar("cosine_length", base * phase);
  record.scalar("cosine_base", N / phase);
  record.scalar("precision_base", 1 / machine_epsilon(axes.text("format")));
  record.scalar("critical_dimension", dimension);
  record.scalar("extrapolation_length", circle * std::pow(base, dimension / (2 * J)));
  record.scalar("interpolation_bound", 1 / (32 * std::log(base)));
}

data::Record run(const ExperimentInput& input) {
  const Angles angles = angles_of(input.scheme);
  const Index N = input.axes.integer("length"), J = static_cast<Index>(angles.of_planes.size());
  data::Record record;
  record_closed_forms(angles, input.axes, record);
  record.scalar("interpolation_error", interpolation_error(angles.of_planes));
  if (const auto smallest = smallest_base(J, N, input.axes.real("highest_base")))
    record.scalar("smallest_base", *smallest);
  const Cosines found = cosines(angles.of_planes, N);
  record.scalar("least_cosine", found.least);
  if (found.first_negative) record.scalar("first_negative", static_cast<double>(*found.first_negative));
  const LeastBound least = least_bound(angles.of_planes, N);
  record.scalar("least_bound", least.bound);
  record.scalar("least_bound_distance", static_cast<double>(least.distance));
  return record;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (!placement.is_plain())
    return fmt::format("positions = {}: the bounds are of distances 0 .. N - 1 along one axis", placement.text());
  if (phase_allowed(axes.real("epsilon"), axes.real("depth")) <= 0)
    return fmt::format(
        "epsilon {:g} to the power 1 / {} is 1 in float64: no angle keeps that cosine; take a smaller one",
        axes.real("epsilon"), axes.integer("depth"));
  if (const double given = axes.real("pretrained_base"); given > 0 && given <= 1)
    return fmt::format("pretrained_base {:g}: the bounds need a base above 1, or 0 for the scheme's own", given);
  return why_no_base(scheme);
}

// Some 200 looks at all distances, of two multiplications each; then a sine and a cosine twice for each of them.
data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), J = static_cast<double>(scheme.inverse_frequency().size());
  return {8 * (2 * N + 3 * 64 * J), N * J * (200 * 4 + 150) + 1e4 * J * 200};
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

}  // namespace base_bounds

Experiment make_base_bounds() {
  using namespace base_bounds;
  return {describe(), why_skip, estimate, run, axis_length, column(), answer};
}

}  // namespace poslab::experiments
