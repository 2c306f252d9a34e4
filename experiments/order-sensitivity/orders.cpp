// SPDX-License-Identifier: Apache-2.0
#include "orders.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace poslab::experiments::order_sensitivity {
Order in_place(Index N) {
  Order order(static_cast<std::size_t>(N));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

std::vector<Order> random_orders(const base::Stream& stream, Index N, Index moved, Index count) {
  std::vector<Order> orders;
  std::uint64_t next = 0;
  while (static_cast<Index>(orders.size()) < count) {
    Order order = in_place(N);
    for (auto left = static_cast<std::size_t>(moved); left > 1; --left)
      std::swap(order[left - 1], order[stream.below(next++, left)]);
    if (order != in_place(N)) orders.push_back(std::move(order));
  }
  return orders;
}

std::vector<Order> swaps(Index N, Index distance, Index most) {
  const Index pairs = N - 1 - distance, count = std::min(pairs, most);
  std::vector<Order> orders;
  for (Index k = 0; k < count; ++k) {
    const Index first = count == 1 ? 0 : k * (pairs - 1) / (count - 1);
    Order order = in_place(N);
    std::swap(order[static_cast<std::size_t>(first)], order[static_cast<std::size_t>(first + distance)]);
    orders.push_back(std::move(order));
  }
  return orders;
}

std::vector<Order> all_prefix_orders(Index N) {
  std::vector<Order> orders;
  Order order = in_place(N);
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end() - 1));
  return orders;
}

template <class S>
Array<S> in_orders(View<const S> content, const std::vector<Order>& orders) {
  const Index N = content.shape[0], D = content.shape[1];
  Array<S> sequences{static_cast<Index>(orders.size()), N, D};
  S* to = sequences.data();
  for (const Order& order : orders)
    for (const Index token : order) to = std::copy_n(&content(token, 0), D, to);
  return sequences;
}

template Array<float> in_orders<float>(View<const float>, const std::vector<Order>&);
template Array<double> in_orders<double>(View<const double>, const std::vector<Order>&);

}  // namespace poslab::experiments::order_sensitivity
