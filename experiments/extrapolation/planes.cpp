// SPDX-License-Identifier: Apache-2.0
#include "planes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "poslab/attention/planes.hpp"
#include "poslab/numerics/decompositions.hpp"

namespace poslab::experiments::extrapolation {
namespace {

// The angles of those that rotate, unlike attention::plane_angles. With R_p = T_p^T: R_0^-1 R_1 = (T_1 T_0^-1)^T, which
// has the same eigenvalues.
std::vector<double> rotation_angles(View<const double> at_zero, View<const double> at_one) {
  std::vector<double> angles;
  Index half_circles = 0;  // a plane that rotates by pi gives the eigenvalue -1 twice
  for (const std::complex<double>& value : numerics::eigenvalues_of_quotient(at_zero, at_one)) {
    if (value.imag() == 0 && value.real() < 0) ++half_circles;
    if (value.imag() > 0 && std::arg(value) > attention::min_angle) angles.push_back(std::arg(value));
  }
  angles.insert(angles.end(), static_cast<std::size_t>(half_circles / 2), std::numbers::pi);
  return angles;
}

}  // namespace

Planes measured_planes(const host::Scheme& scheme, const host::Context& context,
                       std::span<const View<const double>> weights) {
  const Index H = scheme.model().heads;
  const base::Array<double> zero = attention::transformed_basis(scheme, context, std::array{0.0}, weights);
  const base::Array<double> one = attention::transformed_basis(scheme, context, std::array{1.0}, weights);
  const auto same = [&](const base::Array<double>& basis, Index h) {
    return std::equal(basis.view()[h].begin(), basis.view()[h].end(), basis.view()[0].begin());
  };
  Planes planes{{}, H};
  std::vector<double> of_first;
  for (Index h = 0; h < H; ++h) {
    const bool known = h > 0 && same(zero, h) && same(one, h);
    const std::vector<double> angles = known ? of_first : rotation_angles(zero.view()[h], one.view()[h]);
    planes.angles.insert(planes.angles.end(), angles.begin(), angles.end());
    if (h == 0) of_first = angles;
  }
  return planes;
}

std::optional<Planes> planes(const host::Scheme& scheme, const host::Context& context,
                             std::span<const View<const double>> weights) {
  if (const auto declared = scheme.inverse_frequency(); !declared.empty()) {
    Planes declared_planes;
    for (const double angle : declared)
      if (std::abs(angle) > 0) declared_planes.angles.push_back(std::abs(angle));
    return declared_planes;
  }
  if (scheme.has(host::Operation::transform)) return measured_planes(scheme, context, weights);
  if (scheme.looks_at_positions()) return std::nullopt;
  return Planes{};
}

Unseen unseen(const Planes& planes, Index train_length) {
  const auto slow = [&](double angle) { return angle * static_cast<double>(train_length) < 2 * std::numbers::pi; };
  const auto count = static_cast<double>(std::count_if(planes.angles.begin(), planes.angles.end(), slow));
  if (planes.angles.empty()) return {};
  return {count / static_cast<double>(planes.heads), count / static_cast<double>(planes.angles.size())};
}

}  // namespace poslab::experiments::extrapolation
