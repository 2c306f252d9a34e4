// SPDX-License-Identifier: Apache-2.0
#include "distances.hpp"

#include <algorithm>
#include <cmath>

namespace poslab::experiments::distance_profile {
namespace {

std::uint32_t rounded_length(View<const double> positions, Index m, Index n) {
  double squares = 0;
  for (Index axis = 0; axis < positions.shape[1]; ++axis) {
    const double apart = positions(m, axis) - positions(n, axis);
    squares += apart * apart;
  }
  return static_cast<std::uint32_t>(std::lround(std::sqrt(squares)));
}

}  // namespace

Distances::Distances(const data::Placement& placement, View<const double> positions, bool both_signs)
    : tokens_(positions.shape[0]) {
  auto last = static_cast<double>(tokens_ - 1);
  if (placement.is_grid()) {
    for (Index m = 0; m < tokens_; ++m)
      for (Index n = 0; n < tokens_; ++n) of_pair_.push_back(rounded_length(positions, m, n));
    last = *std::max_element(of_pair_.begin(), of_pair_.end());
  } else if (both_signs) {
    zero_ = static_cast<std::size_t>(tokens_ - 1);
  }
  for (double distance = -static_cast<double>(zero_); distance <= last; ++distance) values_.push_back(distance);
}

std::vector<double> before_the_query(const std::vector<double>& curve, std::size_t zero) {
  return {curve.begin() + static_cast<std::ptrdiff_t>(zero), curve.end()};
}

}  // namespace poslab::experiments::distance_profile
