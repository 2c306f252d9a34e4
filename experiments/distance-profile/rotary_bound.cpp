// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width.
#include "rotary_bound.hpp"

#include <array>
#include <cmath>
#include <complex>

#include "poslab/attention/planes.hpp"

namespace poslab::experiments::distance_profile {
namespace {

using base::Array;
using base::Index;
using host::Operation;

double norm(View<const double> row) {
  double squares = 0;
  for (const double x : row) squares += x * x;
  return std::sqrt(squares);
}

bool are_as_long(View<const double> at_zero, View<const double> at_one) {
  for (Index a = 0; a < at_zero.shape[0]; ++a) {
    const double before = norm(at_zero[a]), after = norm(at_one[a]);
    if (std::abs(after - before) > 1e-9 * before) return false;
  }
  return true;
}

bool rotates_by_offset_alone(const host::Scheme& scheme) {
  for (const Operation other : {Operation::encode, Operation::bias, Operation::score})
    if (scheme.has(other)) return false;
  return scheme.transforms(host::Side::key) && scheme.claims(POSLAB_RELATIVE) && scheme.least_axes() == 1;
}

}  // namespace

double bound_at(double distance, const std::vector<double>& angles) {
  std::complex<double> sum;
  double bound = 0;
  for (const double angle : angles) {
    sum += std::polar(1.0, distance * angle);
    bound += std::abs(sum);
  }
  return bound / static_cast<double>(angles.size());
}

std::vector<std::vector<double>> angles_of_heads(const host::Scheme& scheme, const host::Context& context,
                                                 std::span<const View<const double>> weights) {
  const Array<double> zero = attention::transformed_basis(scheme, context, std::array{0.0}, weights),
                      one = attention::transformed_basis(scheme, context, std::array{1.0}, weights);
  std::vector<std::vector<double>> angles;
  for (Index h = 0; h < zero.extent(0); ++h) {
    if (!are_as_long(zero.view()[h], one.view()[h])) return {};
    angles.push_back(attention::plane_angles(zero.view()[h], one.view()[h]));
  }
  return angles;
}

std::optional<std::vector<double>> rotary_bound(const host::Scheme& scheme, const host::Context& context,
                                                std::span<const View<const double>> weights,
                                                const std::vector<double>& distances) {
  if (!rotates_by_offset_alone(scheme) || scheme.model().head_width() < 2) return std::nullopt;
  const std::vector<std::vector<double>> heads = angles_of_heads(scheme, context, weights);
  if (heads.empty()) return std::nullopt;
  std::vector<double> bounds;
  for (const double distance : distances) {
    double sum = 0;
    for (const std::vector<double>& angles : heads) sum += bound_at(distance, angles);
    bounds.push_back(sum / static_cast<double>(heads.size()));
  }
  return bounds;
}

}  // namespace poslab::experiments::distance_profile
