// SPDX-License-Identifier: Apache-2.0
// Dimension letters: A axes of a position, H heads, K head width.
#include "poslab/attention/planes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "poslab/attention/signatures.hpp"
#include "poslab/numerics/decompositions.hpp"

namespace poslab::attention {

Array<double> transformed_basis(const host::Scheme& scheme, const host::Context& context,
                                std::span<const double> position, std::span<const View<const double>> weights) {
  const Index H = scheme.model().heads, K = scheme.model().head_width();
  Array<double> positions{K, std::ssize(position)}, basis{H, K, K};
  for (Index a = 0; a < K; ++a) {
    std::copy(position.begin(), position.end(), &positions(a, 0));
    for (Index h = 0; h < H; ++h) basis(h, a, a) = 1;
  }
  scheme.transform<double>(context, coded_side(scheme), positions, weights, basis);
  return basis;
}

// A plane has two eigenvalues, exp(+-i theta); one that stands still has 1 twice, one that rotates half a circle -1.
std::vector<double> plane_angles(View<const double> at_zero, View<const double> at_one) {
  std::vector<double> arguments, angles;
  for (const std::complex<double>& value : numerics::eigenvalues_of_quotient(at_zero, at_one))
    arguments.push_back(std::abs(std::arg(value)));
  std::sort(arguments.rbegin(), arguments.rend());
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) angles.push_back(arguments[i]);
  return angles;
}

}  // namespace poslab::attention
