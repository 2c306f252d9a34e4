// SPDX-License-Identifier: Apache-2.0
#include "channel_order.hpp"

#include <algorithm>
#include <numeric>

namespace poslab::experiments::first_position_bias {
namespace {

constexpr Index enough_rows = 16;  // two channels that rotate differently do so by then

host::Context causal_context(const host::Scheme& scheme, Index length) {
  return {length, scheme.model().train_length, true};
}

base::Array<double> first_rows(View<const double> positions, Index rows) {
  base::Array<double> first{rows, positions.shape[1]};
  std::copy_n(positions.begin(), first.size(), first.data());
  return first;
}

}  // namespace

std::vector<Index> channel_order(View<const double> rows) {
  const Index N = rows.shape[0], C = rows.shape[1];
  std::vector<Index> order(static_cast<std::size_t>(C));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    for (Index n = 0; n < N; ++n)
      if (rows(n, a) != rows(n, b)) return rows(n, a) < rows(n, b);
    return false;
  });
  return order;
}

std::vector<Index> code_channel_order(const host::LayerSchemes& schemes, const host::LayerWeights<double>& weights,
                                      Index length, View<const double> positions) {
  const auto has = [&](host::Operation operation) {
    return schemes.any([&](const host::Scheme& scheme) { return scheme.has(operation); });
  };
  if (!has(host::Operation::encode) || has(host::Operation::score)) return {};
  const Index D = weights.parts().front().part.scheme->model().model_width;
  base::Array<double> codes{length, D}, code{length, D};
  for (const auto& [part, of_scheme] : weights.parts()) {
    if (!part.scheme->has(host::Operation::encode)) continue;
    part.scheme->encode<double>(causal_context(*part.scheme, length), positions, of_scheme.layer(part.layers.front()),
                                code);
    for (Index i = 0; i < code.size(); ++i) codes.data()[i] += code.data()[i];
  }
  return channel_order(codes);
}

std::vector<Index> query_channel_order(const host::Scheme& scheme, const std::vector<View<const double>>& weights,
                                       Index layer, Index length, View<const double> positions) {
  if (!scheme.transforms(host::Side::query)) return {};
  const Index H = scheme.model().heads, K = scheme.model().head_width(), rows = std::min(length, enough_rows);
  base::Array<double> ones{H, rows, K};
  std::fill_n(ones.data(), ones.size(), 1.0);
  scheme.transform<double>(causal_context(scheme, length), host::Side::query, first_rows(positions, rows), weights,
                           ones, layer);
  std::vector<Index> order;
  for (Index h = 0; h < H; ++h)
    for (const Index channel : channel_order(ones.view()[h])) order.push_back(h * K + channel);
  return order;
}

}  // namespace poslab::experiments::first_position_bias
