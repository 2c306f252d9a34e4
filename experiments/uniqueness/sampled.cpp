// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N codes, M sampled ones.
#include "sampled.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "poslab/numerics/closest_pair.hpp"
#include "uniqueness.hpp"

namespace poslab::experiments::uniqueness {

using base::Index;

std::vector<Index> sampled_rows(Index N, Index samples, const base::Stream& stream) {
  const Index M = std::min(N, samples);
  std::set<Index> chosen;  // Floyd's algorithm: Bentley 1987
  for (Index last = N - M; last < N; ++last) {
    const auto pick = static_cast<Index>(
        stream.below(static_cast<std::uint64_t>(last - (N - M)), static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(pick).second) chosen.insert(last);
  }
  return {chosen.begin(), chosen.end()};
}

template <class S>
void record_sampled(base::View<const S> codes, const std::vector<Index>& rows, const numerics::Radius& radius,
                    Output& out) {
  const auto N = static_cast<double>(codes.shape[0]), M = static_cast<double>(rows.size());
  const numerics::SampledNeighbours found = numerics::sampled_neighbours<S>(codes, rows, radius);
  // A class of n codes has n members that each count 1 / n: together one.
  std::vector<double> share_of_class;
  for (const double others : found.collisions) share_of_class.push_back(1 / (1 + others));
  const numerics::Estimated collisions = numerics::estimated_mean(found.collisions, N),
                            classes = numerics::estimated_mean(share_of_class, N);
  out.set(Uniqueness::min_distance_at_most, *std::min_element(found.distance.begin(), found.distance.end()));
  out.set(Uniqueness::nearer_share_at_most, M < N ? 1 - std::pow(0.05, 1 / M) : 0);
  out.set(Uniqueness::collisions_estimate, N / 2 * collisions.mean);
  out.set(Uniqueness::distinct_estimate, N * classes.mean);
  if (!std::isfinite(collisions.error)) return;  // one row of several says nothing of its own error
  out.set(Uniqueness::collisions_error, N / 2 * collisions.error);
  out.set(Uniqueness::distinct_error, N * classes.error);
}

template void record_sampled(base::View<const double>, const std::vector<Index>&, const numerics::Radius&, Output&);
template void record_sampled(base::View<const float>, const std::vector<Index>&, const numerics::Radius&, Output&);

}  // namespace poslab::experiments::uniqueness
