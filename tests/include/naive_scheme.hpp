// SPDX-License-Identifier: Apache-2.0
// A scheme as second, naive implementations of measures see it: what its operations give, in nested vectors, and logits
// by plain loops, one query at a time. Nothing of `attention` or `numerics`.
// Dimension letters: N positions, A axes, D model width, H heads, K head width.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "poslab/data/draws.hpp"

namespace naive {

using poslab::base::Array;
using poslab::base::Index;
namespace host = poslab::host;
using host::Operation;

using Numbers = std::vector<double>;
using Rows = std::vector<Numbers>;
using Heads = std::vector<Rows>;

inline Array<double> packed(const Rows& rows, std::size_t width) {
  Array<double> out{static_cast<Index>(rows.size()), static_cast<Index>(width)};
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t c = 0; c < width; ++c) out(static_cast<Index>(n), static_cast<Index>(c)) = rows[n][c];
  return out;
}
inline Array<double> packed(const Heads& heads) {
  const std::size_t N = heads[0].size(), K = heads[0][0].size();
  Array<double> out{static_cast<Index>(heads.size()), static_cast<Index>(N), static_cast<Index>(K)};
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (std::size_t n = 0; n < N; ++n)
      for (std::size_t k = 0; k < K; ++k) out.data()[(h * N + n) * K + k] = heads[h][n][k];
  return out;
}
inline Rows unpacked(const Array<double>& rows) {
  Rows out(static_cast<std::size_t>(rows.extent(0)), Numbers(static_cast<std::size_t>(rows.extent(1))));
  for (std::size_t n = 0; n < out.size(); ++n)
    for (std::size_t c = 0; c < out[n].size(); ++c) out[n][c] = rows.data()[n * out[n].size() + c];
  return out;
}

inline double product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
inline double norm(const Numbers& a) { return std::sqrt(product(a, a)); }
inline double distance(const Numbers& a, const Numbers& b) {
  double squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) squares += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(squares);
}

/// Contents [N, D] by heads: [H][N][K].
inline Heads split(const Rows& rows, std::size_t H) {
  const std::size_t K = rows[0].size() / H;
  Heads heads(H, Rows(rows.size(), Numbers(K)));
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t n = 0; n < rows.size(); ++n)
      for (std::size_t k = 0; k < K; ++k) heads[h][n][k] = rows[n][h * K + k];
  return heads;
}
inline Rows join(const Heads& heads) {
  Rows rows(heads[0].size());
  for (const Rows& head : heads)
    for (std::size_t n = 0; n < rows.size(); ++n) rows[n].insert(rows[n].end(), head[n].begin(), head[n].end());
  return rows;
}

/// `rows` [N][width] of a value.
inline Rows filled(std::size_t N, std::size_t width, double value) { return Rows(N, Numbers(width, value)); }

/// The scheme of a cell, with the draws and the weights that the cell has.
struct Subject {
  host::Scheme scheme;
  poslab::data::Draws draws;
  host::Weights<double> weights;
  std::size_t N, D, H, K;
  Rows positions;  ///< [N][1]

  explicit Subject(const cells::Cell& cell, Index tokens, Index layers = 1)
      : scheme(cells::plugin(cell.scheme), cell.parameters, cell.model),
        draws(20261121, cell.experiment, cell.scheme, cell.repeat),
        weights(scheme.draw_weights(draws, layers)),
        N(static_cast<std::size_t>(tokens)),
        D(static_cast<std::size_t>(cell.model.model_width)),
        H(static_cast<std::size_t>(cell.model.heads)),
        K(D / H) {
    const double first = cell.placement.is_plain() ? 0 : static_cast<double>(cell.placement.by);
    for (std::size_t n = 0; n < N; ++n) positions.push_back({first + static_cast<double>(n)});
  }
  bool has(Operation operation) const { return scheme.has(operation); }
  /// Keys have the code of a position, or values if the scheme leaves keys alone.
  host::Side coded_side() const {
    const bool keys = scheme.transforms(host::Side::key), values = scheme.transforms(host::Side::value);
    return !keys && values ? host::Side::value : host::Side::key;
  }
  bool acts() const {
    for (const Operation operation : host::all_operations)
      if (has(operation)) return true;
    return false;
  }
};

/// The operations of a subject in one context.
struct Sight {
  const Subject& of;
  host::Context context;
  Index layer = 0;

  std::vector<poslab::base::View<const double>> weights() const { return of.weights.layer(layer); }

  /// What is added to embeddings: [N][D]; zeros of a scheme that adds nothing.
  Rows codes(const Rows& positions) const {
    Array<double> out{static_cast<Index>(positions.size()), static_cast<Index>(of.D)};
    if (of.has(Operation::encode))
      of.scheme.encode<double>(context, packed(positions, positions[0].size()), weights(), out);
    return unpacked(out);
  }
  /// [H][N][K]
  Heads transformed(host::Side side, const Rows& positions, const Heads& x) const {
    if (!of.has(Operation::transform)) return x;
    Array<double> out = packed(x);
    of.scheme.transform<double>(context, side, packed(positions, positions[0].size()), weights(), out, layer);
    Heads heads = x;
    for (std::size_t h = 0, i = 0; h < heads.size(); ++h)
      for (Numbers& row : heads[h])
        for (double& entry : row) entry = out.data()[i++];
    return heads;
  }
  /// What the query at row m has with every key, as transformed: [H][N]. `input` [N][D] may be empty.
  Rows logits_of(std::size_t m, const Rows& positions, const Heads& query, const Heads& key, const Rows& input,
                 double scale) const {
    const auto H = static_cast<Index>(key.size()), N = static_cast<Index>(positions.size());
    Array<double> logits{H, 1, N};
    Heads one(key.size());
    for (std::size_t h = 0; h < key.size(); ++h) {
      one[h].push_back(query[h][m]);
      for (std::size_t n = 0; n < positions.size(); ++n)
        logits(static_cast<Index>(h), 0, static_cast<Index>(n)) = scale * product(query[h][m], key[h][n]);
    }
    const Array<double> at = packed({positions[m]}, positions[m].size()), all = packed(positions, positions[m].size());
    const host::Tile tile{at, all, static_cast<Index>(m)};
    if (of.has(Operation::bias)) {
      Array<double> bias{H, 1, N};
      of.scheme.bias<double>(context, tile, weights(), bias, layer);
      for (Index i = 0; i < bias.size(); ++i) logits.data()[i] += bias.data()[i];
    }
    if (of.has(Operation::score)) {
      const Array<double> q = packed(one), k = packed(key);
      const Array<double> x = input.empty() ? Array<double>() : packed(input, of.D);
      of.scheme.score<double>(context, tile, {x, q, k, scale}, weights(), logits, layer);
    }
    Rows out(key.size(), Numbers(positions.size()));
    for (std::size_t h = 0, i = 0; h < out.size(); ++h)
      for (double& logit : out[h]) logit = logits.data()[i++];
    return out;
  }
  /// All of them: [H][N][N].
  Heads logits(const Rows& positions, const Heads& query, const Heads& key, const Rows& input, double scale) const {
    Heads all(key.size(), Rows(positions.size()));
    for (std::size_t m = 0; m < positions.size(); ++m) {
      const Rows row = logits_of(m, positions, query, key, input, scale);
      for (std::size_t h = 0; h < all.size(); ++h) all[h][m] = row[h];
    }
    return all;
  }
};

}  // namespace naive
