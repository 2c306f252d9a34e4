// SPDX-License-Identifier: Apache-2.0
#include "decay.hpp"

#include <limits>

namespace poslab::experiments::first_position_bias {

using base::Index;
using base::View;

std::vector<double> decays(View<const double> logits, View<const double> none) {
  const Index H = logits.shape[0], N = logits.shape[1];
  const double middle = static_cast<double>(N - 1) / 2, n = static_cast<double>(N);
  const double squares = n * (n * n - 1) / 12;  // sum over j of (j - middle)^2
  std::vector<double> decays;
  for (Index h = 0; h < H; ++h) {
    // A key one place further right is one place nearer, so minus the slope over distance is the slope over j.
    double products = 0;
    for (Index j = 0; j < N; ++j) products += (static_cast<double>(j) - middle) * (logits(h, j) - none(h, j));
    decays.push_back(N > 1 ? products / squares : std::numeric_limits<double>::quiet_NaN());
  }
  return decays;
}

}  // namespace poslab::experiments::first_position_bias
