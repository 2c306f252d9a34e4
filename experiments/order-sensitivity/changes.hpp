// SPDX-License-Identifier: Apache-2.0
// How outputs of a stack differ between orders of its input, in units of what its layers wrote.
// Dimension letters: B sequences, N tokens, D model width.
#pragma once

#include <vector>

#include "orders.hpp"

namespace poslab::experiments::order_sensitivity {

/// How far the last token of each sequence of `stream` [B, N, D] is from that of sequence 0, over what the layers wrote
/// there: the distance of sequence 0's last token from `input` [N, D], as it entered the layers. Entry 0 is 0.
template <class S>
std::vector<double> last_token_changes(View<const S> stream, View<const S> input);

/// The largest |stream[first + s] - P_s stream[0]| / |stream[0] - input| over the orders P_s, Frobenius norms.
template <class S>
double equivariance_error(View<const S> stream, View<const S> input, Index first, const std::vector<Order>& orders);

struct Kinds {
  Index count = 0;
  double least = 0;  ///< the smallest distance of two outputs, over what was written; 0 where there is one sequence
};
/// The last tokens of `stream`: those nearer than `equal` are of one kind, and so are those that a chain of such joins.
template <class S>
Kinds kinds_of_last_token(View<const S> stream, View<const S> input, double equal);

}  // namespace poslab::experiments::order_sensitivity
