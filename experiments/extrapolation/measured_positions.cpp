// SPDX-License-Identifier: Apache-2.0
#include "measured_positions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace poslab::experiments::extrapolation {

std::vector<Index> Extrapolation::multiples() const {
  std::set<Index> sorted;
  for (const double times : multiple) sorted.insert(static_cast<Index>(times));
  return {sorted.begin(), sorted.end()};
}

Index Extrapolation::step() const { return std::max<Index>(1, train_length / points); }

std::vector<MeasuredPosition> measured_positions(const Extrapolation& at, const host::Scheme& scheme) {
  const Index L = at.train_length, step = at.step();
  const std::vector<Index> times = at.multiples();
  std::set<Index> positions;
  for (Index p = 0; p < times.back() * L; p += step) positions.insert(p);
  for (const Index multiple : times) positions.insert(multiple * L - 1);
  std::vector<MeasuredPosition> measured;
  auto context = times.begin();
  for (const Index p : positions) {
    while (p >= *context * L) ++context;
    measured.push_back({p, *context * L, p < served(scheme, p + 1)});
  }
  return measured;
}

std::vector<std::size_t> defined_in(const std::vector<MeasuredPosition>& measured, Index context_length) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < measured.size(); ++i)
    if (measured[i].defined && measured[i].context_length == context_length) found.push_back(i);
  return found;
}

std::vector<Index> contexts(const std::vector<MeasuredPosition>& measured) {
  std::set<Index> lengths;
  for (const MeasuredPosition& one : measured)
    if (one.defined) lengths.insert(one.context_length);
  return {lengths.begin(), lengths.end()};
}

Index served(const host::Scheme& scheme, Index length) {
  const double highest = scheme.highest_position();
  return highest < static_cast<double>(length - 1) ? static_cast<Index>(std::floor(highest)) + 1 : length;
}

}  // namespace poslab::experiments::extrapolation
