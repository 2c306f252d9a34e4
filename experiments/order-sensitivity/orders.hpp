// SPDX-License-Identifier: Apache-2.0
// Orders of N tokens: place i of the new sequence holds the token that was at order[i].
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"

namespace poslab::experiments::order_sensitivity {

using base::Array;
using base::Index;
using base::View;

using Order = std::vector<Index>;

/// 0, 1, ..., N - 1.
Order in_place(Index N);
/// Random orders of the first `moved` of N tokens, 2 <= moved <= N; none leaves all in place.
std::vector<Order> random_orders(const base::Stream& stream, Index N, Index moved, Index count);
/// Tokens i and i + distance change places, neither of them the last: all such pairs, or `most` of them evenly spread.
/// 1 <= distance <= N - 2.
std::vector<Order> swaps(Index N, Index distance, Index most);
/// Every order of all tokens but the last; the first leaves all in place.
std::vector<Order> all_prefix_orders(Index N);

/// [B, N, D]: the tokens of `content` [N, D] in each of the orders.
template <class S>
Array<S> in_orders(View<const S> content, const std::vector<Order>& orders);

}  // namespace poslab::experiments::order_sensitivity
