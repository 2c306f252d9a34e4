// SPDX-License-Identifier: Apache-2.0
#include "mask_null.hpp"

namespace poslab::experiments::first_position_bias {

double even_sink_share(Index length) {
  double harmonic = 0;
  for (Index i = length; i >= 1; --i) harmonic += 1 / static_cast<double>(i);  // the small terms first
  return harmonic / static_cast<double>(length);
}

namespace {

// Entry t - 1: the last of ((1 - kept) M + kept I)^t on the first unit vector.
std::vector<double> even_shares(Index length, Index depth, double kept) {
  std::vector<double> share(static_cast<std::size_t>(length), 0.0), at_last;
  share[0] = 1;
  for (Index t = 1; t <= depth; ++t) {
    double sum = 0;
    for (std::size_t i = 0; i < share.size(); ++i) {
      sum += share[i];
      share[i] = (1 - kept) * sum / static_cast<double>(i + 1) + kept * share[i];
    }
    at_last.push_back(share.back());
  }
  return at_last;
}

}  // namespace

std::vector<double> even_context_share(Index length, Index depth) { return even_shares(length, depth, 0); }

std::vector<double> even_residual_context_share(Index length, Index depth) { return even_shares(length, depth, 0.5); }

}  // namespace poslab::experiments::first_position_bias
