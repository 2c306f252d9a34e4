// SPDX-License-Identifier: Apache-2.0
#include "window_logits.hpp"

#include <cmath>

namespace poslab::experiments::precision {
namespace {

// Channels beyond the planes stay as they are; a plane at the end of an odd width has its first channel only.
void code(View<double> rows, const Table& table, Use use, const Rounding& keep) {
  const Index M = rows.shape[0], W = rows.shape[1], J = table.cosine.extent(1);
  for (Index m = 0; m < M; ++m) {
    for (Index j = 0; j < J && 2 * j < W; ++j) {
      const double cosine = table.cosine(m, j), sine = table.sine(m, j);
      double& first = rows(m, 2 * j);
      if (use == Use::add) first += sine;
      if (2 * j + 1 >= W) continue;
      double& second = rows(m, 2 * j + 1);
      if (use == Use::add) {
        second += cosine;
        continue;
      }
      const double x = first, y = second;
      first = x * cosine - y * sine;
      second = y * cosine + x * sine;
    }
    for (Index w = 0; w < W; ++w) rows(m, w) = keep(Stage::product, rows(m, w));
  }
}

}  // namespace

Array<double> window_logits(View<const double> query, View<const double> key, const Table& table, Use use,
                            const Rounding& keep) {
  const Index M = query.shape[0], W = query.shape[1];
  Array<double> q{M, W}, k{M, W}, logits{M, M};
  std::copy(query.begin(), query.end(), q.data());
  std::copy(key.begin(), key.end(), k.data());
  code(q, table, use, keep);
  code(k, table, use, keep);
  const double scale = 1 / std::sqrt(static_cast<double>(W));
  for (Index m = 0; m < M; ++m)
    for (Index n = 0; n < M; ++n) {
      double sum = 0;
      for (Index w = 0; w < W; ++w) sum += q(m, w) * k(n, w);
      logits(m, n) = keep(Stage::product, scale * sum);
    }
  return logits;
}

}  // namespace poslab::experiments::precision
