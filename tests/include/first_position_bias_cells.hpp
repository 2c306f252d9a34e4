// SPDX-License-Identifier: Apache-2.0
// Cells of first-position-bias, small enough for every scheme.
// Dimension letters: D model width, H heads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "poslab/host/scheme.hpp"

namespace first_position_bias_cells {

using poslab::base::Index;
using poslab::data::Value;

constexpr Index D = 16, H = 4;

inline cells::Cell cell(const std::string& scheme, std::int64_t length, std::vector<double> depth, double gain = 1) {
  return {"first-position-bias",
          scheme,
          {{"length", Value(length)},
           {"samples", Value(std::int64_t{1})},
           {"depth", Value(std::move(depth))},
           {"query_gain", Value(gain)}},
          {},
          {D, H, length}};
}

/// Channels by what they hold, row by row: the naive one. `columns`: of each channel.
inline std::vector<Index> sorted_channels(const std::vector<std::vector<double>>& columns) {
  std::vector<std::pair<std::vector<double>, Index>> all;
  for (const std::vector<double>& column : columns) all.emplace_back(column, static_cast<Index>(all.size()));
  std::sort(all.begin(), all.end());
  std::vector<Index> order;
  for (const auto& [column, channel] : all) order.push_back(channel);
  return order;
}

/// What is added to the contents [N, D] of plain positions: codes with their channels sorted.
inline poslab::base::Array<double> sorted_codes(const poslab::host::Scheme& scheme, Index N,
                                                const std::vector<poslab::base::View<const double>>& weights) {
  const Index width = scheme.model().model_width;
  poslab::base::Array<double> positions{N, 1}, codes{N, width}, sorted{N, width};
  for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
  scheme.encode<double>({N, N, true}, positions, weights, codes);
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(width));
  for (Index n = 0; n < N; ++n)
    for (Index c = 0; c < width; ++c) columns[static_cast<std::size_t>(c)].push_back(codes(n, c));
  const std::vector<Index> order = sorted_channels(columns);
  for (Index n = 0; n < N; ++n)
    for (Index c = 0; c < width; ++c) sorted(n, c) = codes(n, order[static_cast<std::size_t>(c)]);
  return sorted;
}

/// Which channel of D takes what is drawn for channel j of queries and keys.
inline std::vector<Index> query_channels(const poslab::host::Scheme* scheme, Index N,
                                         const std::vector<poslab::base::View<const double>>& weights, Index layer,
                                         Index width, Index heads) {
  std::vector<Index> channels(static_cast<std::size_t>(width));
  std::iota(channels.begin(), channels.end(), Index{0});
  if (!scheme || !scheme->transforms(poslab::host::Side::query)) return channels;
  const Index rows = std::min<Index>(N, 16), head_width = width / heads;
  poslab::base::Array<double> positions{rows, 1}, ones{heads, rows, head_width};
  for (Index n = 0; n < rows; ++n) positions(n, 0) = static_cast<double>(n);
  std::fill_n(ones.data(), ones.size(), 1.0);
  scheme->transform<double>({N, N, true}, poslab::host::Side::query, positions, weights, ones, layer);
  for (Index h = 0; h < heads; ++h) {
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(head_width));
    for (Index n = 0; n < rows; ++n)
      for (Index c = 0; c < head_width; ++c) columns[static_cast<std::size_t>(c)].push_back(ones(h, n, c));
    const std::vector<Index> order = sorted_channels(columns);
    for (Index j = 0; j < head_width; ++j)
      channels[static_cast<std::size_t>(h * head_width + j)] = h * head_width + order[static_cast<std::size_t>(j)];
  }
  return channels;
}

}  // namespace first_position_bias_cells
