// SPDX-License-Identifier: Apache-2.0
// Dimension letters: H heads, K head width.
#include "rotary_bound.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "poslab/numerics/eigenvalues.hpp"

namespace poslab::experiments::distance_profile {
namespace {

using base::Array;
using base::Index;
using host::Operation;

// Row a is T_p e_a, for every head: [H, K, K].
Array<double> transformed_basis(const host::Scheme& scheme, const host::Context& context, double position,
                                std::span<const View<const double>> weights) {
  const Index H = scheme.model().heads, K = scheme.model().head_width();
  Array<double> positions{K, 1}, basis{H, K, K};
  positions.fill(position);
  for (Index h = 0; h < H; ++h)
    for (Index a = 0; a < K; ++a) basis(h, a, a) = 1;
  scheme.transform<double>(context, host::Side::key, positions, weights, basis);
  return basis;
}

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

// A plane has two eigenvalues, exp(+-i theta); one that stands still has 1 twice, one that rotates half a circle -1.
std::vector<double> angles_of(View<const double> at_zero, View<const double> at_one) {
  std::vector<double> arguments, angles;
  for (const std::complex<double>& value : numerics::eigenvalues_of_quotient(at_zero, at_one))
    arguments.push_back(std::abs(std::arg(value)));
  std::sort(arguments.rbegin(), arguments.rend());
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) angles.push_back(arguments[i]);
  return angles;
}

bool rotates_by_offset_alone(const host::Scheme& scheme) {
  for (const Operation other : {Operation::encode, Operation::bias, Operation::score})
    if (scheme.has(other)) return false;
  return scheme.has(Operation::transform) && scheme.claims(POSLAB_RELATIVE) && scheme.least_axes() == 1;
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
  const Array<double> zero = transformed_basis(scheme, context, 0, weights),
                      one = transformed_basis(scheme, context, 1, weights);
  std::vector<std::vector<double>> angles;
  for (Index h = 0; h < zero.extent(0); ++h) {
    if (!are_as_long(zero.view()[h], one.view()[h])) return {};
    angles.push_back(angles_of(zero.view()[h], one.view()[h]));
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
