// SPDX-License-Identifier: Apache-2.0
#include "rates.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "poslab/numerics/eigenvalues.hpp"

namespace poslab::experiments::clock {
namespace {

constexpr double still = 1e-12;  // radians per position: what eigenvalues of a float64 matrix cannot tell from none

// Row a is T_p e_a, for every head: [H, K, K]. `axis` is that along which p is one step from 0; none: p = 0.
Array<double> transformed_basis(const host::Scheme& scheme, const host::Context& context, Index axes,
                                std::optional<Index> axis, std::span<const View<const double>> weights) {
  const Index H = scheme.model().heads, K = scheme.model().head_width();
  Array<double> positions{K, axes}, basis{H, K, K};
  for (Index a = 0; a < K; ++a) {
    if (axis) positions(a, *axis) = 1;
    for (Index h = 0; h < H; ++h) basis(h, a, a) = 1;
  }
  scheme.transform<double>(context, host::Side::key, positions, weights, basis);
  return basis;
}

// A plane has two eigenvalues, exp(+-i theta); one that stands still has 1 twice, one that rotates half a circle -1.
std::vector<double> rates_of(View<const double> at_zero, View<const double> at_one) {
  std::vector<double> arguments, found;
  for (const std::complex<double>& value : numerics::eigenvalues_of_quotient(at_zero, at_one))
    arguments.push_back(std::abs(std::arg(value)));
  std::sort(arguments.rbegin(), arguments.rend());
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) found.push_back(arguments[i] > still ? arguments[i] : 0);
  return found;
}

Array<double> measured(const host::Scheme& scheme, const host::Context& context, Index axes,
                       std::span<const View<const double>> weights) {
  const Index H = scheme.model().heads, J = scheme.model().head_width() / 2;
  const Array<double> zero = transformed_basis(scheme, context, axes, {}, weights);
  Array<double> out{axes, H, J};
  for (Index axis = 0; axis < axes; ++axis) {
    const Array<double> one = transformed_basis(scheme, context, axes, axis, weights);
    for (Index h = 0; h < H; ++h) {
      const std::vector<double> of_head = rates_of(zero.view()[h], one.view()[h]);
      std::copy(of_head.begin(), of_head.end(), &out(axis, h, 0));
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
  if (!is_rotating || !scheme.why_not_positions(0, 1).empty()) return std::nullopt;
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
