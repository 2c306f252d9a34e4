// SPDX-License-Identifier: Apache-2.0
#include "rates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "poslab/attention/planes.hpp"

namespace poslab::experiments::clock {
namespace {

Array<double> measured(const host::Scheme& scheme, const host::Context& context, Index axes,
                       std::span<const View<const double>> weights) {
  const Index H = scheme.model().heads, J = scheme.model().head_width() / 2;
  const std::vector<double> origin(static_cast<std::size_t>(axes), 0.0);
  const Array<double> zero = attention::transformed_basis(scheme, context, origin, weights);
  Array<double> out{axes, H, J};
  for (Index axis = 0; axis < axes; ++axis) {
    std::vector<double> step = origin;
    step[static_cast<std::size_t>(axis)] = 1;
    const Array<double> one = attention::transformed_basis(scheme, context, step, weights);
    for (Index h = 0; h < H; ++h) {
      const std::vector<double> angles = attention::plane_angles(zero.view()[h], one.view()[h]);
      std::transform(angles.begin(), angles.end(), &out(axis, h, 0),
                     [](double angle) { return angle > attention::min_angle ? angle : 0; });
    }
  }
  return out;
}

}  // namespace

std::optional<Array<double>> rates(const host::Scheme& scheme, const host::Context& context, Index axes,
                                   std::span<const View<const double>> weights) {
  if (const auto declared = scheme.inverse_frequency(); !declared.empty() && axes == 1) {
    Array<double> out{1, 1, static_cast<Index>(declared.size())};
    std::transform(declared.begin(), declared.end(), out.data(), [](double rate) { return std::abs(rate); });
    std::sort(out.data(), out.data() + out.size(), std::greater<>());
    return out;
  }
  const bool is_rotating = scheme.has(host::Operation::transform) && scheme.model().head_width() >= 2;
  if (!is_rotating || scheme.why_not_positions(0, 1)) return std::nullopt;
  return measured(scheme, context, axes, weights);
}

double extent_along(View<const double> positions, Index axis) {
  double least = positions(0, axis), greatest = least;
  for (Index n = 0; n < positions.shape[0]; ++n) {
    least = std::min(least, positions(n, axis));
    greatest = std::max(greatest, positions(n, axis));
  }
  return greatest - least;
}

double angle_at(double rate, double position) {
  const double circle = 2 * std::numbers::pi, angle = std::fmod(rate * position, circle);
  return angle < 0 ? angle + circle : angle;
}

}  // namespace poslab::experiments::clock
