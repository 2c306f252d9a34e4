// SPDX-License-Identifier: Apache-2.0
// The signatures that training shows, and those of the measured positions.
// Dimension letters: L trained length, P measured positions, W width of a signature.
#pragma once

#include <vector>

#include "measured_positions.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::extrapolation {

/// For offsets, what is the same for all keys of a query is subtracted from the codes of each context, so that those of
/// the trained offsets have the mean that they have in training: softmax cancels it.
struct Codes {
  Array<double> rows;  ///< [L + defined positions, W]: the trained ones, in the context of length L, then the tested
  Index train_length;
  /// For each multiple: root mean square over p < L of |phi(p) in the longer context - phi(p) in that of length L|; NaN
  /// where the scheme does not serve that context to its end.
  std::vector<double> moved;
  double rounding = 0;  ///< what it may leave of two equal codes where something was taken off some

  View<const double> trained() const { return rows.view().rows(0, train_length); }  ///< [L, W]
  /// [defined positions, W], each in its own context, in order
  View<const double> tested() const { return rows.view().rows(train_length, rows.extent(0) - train_length); }
};

/// Whether the code of a position or offset is the same in every context that holds it: then that of the longest
/// context is enough.
bool same_in_all_contexts(const host::Scheme& scheme);

/// Position signatures, or offset signatures (offset r for position r), whichever the scheme works with. S is the
/// scalar that the scheme works in.
template <class S>
Codes draw_codes(const Extrapolation& at, const ExperimentInput& input, const std::vector<MeasuredPosition>& measured);

/// Both kinds of codes with these weights: [L + defined positions, W].
Array<double> trained_and_tested(const Extrapolation& at, const ExperimentInput& input,
                                 const std::vector<MeasuredPosition>& measured, const host::Weights<double>& weights);

}  // namespace poslab::experiments::extrapolation
