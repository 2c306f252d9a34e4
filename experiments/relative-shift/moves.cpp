// SPDX-License-Identifier: Apache-2.0
#include "moves.hpp"

#include <algorithm>

#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::relative_shift {

using base::Array;
using base::Index;
using base::View;

namespace {

// Along one axis, or along all of them where `axis` is A.
Array<double> moved(View<const double> tokens, double shift, Index axis) {
  const Index M = tokens.shape[0], A = tokens.shape[1];
  Array<double> out{M, A};
  for (Index m = 0; m < M; ++m)
    for (Index a = 0; a < A; ++a) out(m, a) = tokens(m, a) + (axis == A || axis == a ? shift : 0);
  return out;
}

bool serves(const host::Scheme& scheme, View<const double> positions) {
  const auto [lowest, highest] = std::minmax_element(positions.begin(), positions.end());
  if (scheme.why_not_positions(*lowest, *highest)) return false;
  return positions.shape[1] == 1 || !why_not_served(scheme, positions);
}

}  // namespace

std::vector<Array<double>> moves(View<const double> tokens, double shift) {
  const Index A = tokens.shape[1];
  std::vector<Array<double>> all;
  for (Index axis = A == 1 ? 1 : 0; axis <= A; ++axis) all.push_back(moved(tokens, shift, axis));
  return all;
}

std::vector<Array<double>> served_moves(const host::Scheme& scheme, View<const double> tokens, double shift) {
  std::vector<Array<double>> all = moves(tokens, shift);
  if (!std::all_of(all.begin(), all.end(), [&](const auto& to) { return serves(scheme, to); })) all.clear();
  return all;
}

}  // namespace poslab::experiments::relative_shift
