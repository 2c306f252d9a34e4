// SPDX-License-Identifier: Apache-2.0
// The codes of the same positions, or offsets, in contexts of several lengths.
// Dimension letters: N length that was trained, T length of another context, W width of a code.
#pragma once

#include <vector>

#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::length_independence {

using base::Array;
using base::Index;

/// The axis `multiple`, rising, each once.
std::vector<double> multiples(const data::Values& axes);
/// The lengths T of the axis `multiple`, at least 1 if why_skip found nothing.
std::vector<Index> other_lengths(const data::Values& axes);
/// Lengths that are no round multiple of N, each at least 1, rising: N - 1, N + 1, the first prime above 3 N / 2 and
/// 2 N + 1, as far as the scheme serves them.
std::vector<Index> odd_lengths(const host::Scheme& scheme, const data::Values& axes);

/// What another context does to the codes of the N positions. Of offsets, what is the same for all keys of a query is
/// not counted, since softmax cancels it.
struct Change {
  std::vector<double> moved;  ///< [min(N, T)]: |phi_T(p) - phi_N(p)|
  double largest() const;
  double root_mean_square() const;
};

struct Changes {
  double norm = 0;                    ///< rms of |phi_N(p)|
  std::vector<Change> by_context;     ///< one for each T
  std::vector<double> at_same_place;  ///< of offsets, one for each T: the largest; NaN where T < N. Else empty
  std::vector<Change> odd;            ///< one for each of odd_lengths
};

template <class S>
Changes changes(const ExperimentInput& input);

}  // namespace poslab::experiments::length_independence
