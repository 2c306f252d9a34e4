// SPDX-License-Identifier: Apache-2.0
// The two probes once more, by plain loops over their definition in long double: what the test compares with.
// Dimension letters: N positions, D model width, P pairs, R rows of a fit.
#pragma once

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "elimination.hpp"
#include "poslab/data/draws.hpp"

namespace naive {

using elimination::Index;
using elimination::Row;
using Table = std::vector<Row>;  // one row a position, or a pair

struct Probes {
  double position_error = 0, position_error_chance = 0, position_residual = 0, order_error = 0, order_error_chance = 0;
};

inline long double product(const Row& a, const Row& b) {
  long double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Weights and, last, the intercept, of least squares; those of minimum norm where there are fewer rows than columns.
inline Row least_squares(const Table& x, const Row& y) {
  const std::size_t R = x.size(), D = x[0].size();
  Row mean(D), weights(D);
  for (const Row& row : x)
    for (std::size_t k = 0; k < D; ++k) mean[k] += row[k] / static_cast<long double>(R);
  const long double mean_y = std::accumulate(y.begin(), y.end(), 0.0L) / static_cast<long double>(R);
  Table c = x;
  for (Row& row : c)
    for (std::size_t k = 0; k < D; ++k) row[k] -= mean[k];
  Table system;
  if (R > D) {
    for (std::size_t i = 0; i < D; ++i) {
      system.emplace_back(D + 1);
      for (std::size_t r = 0; r < R; ++r) {
        for (std::size_t j = 0; j < D; ++j) system[i][j] += c[r][i] * c[r][j];
        system[i][D] += c[r][i] * (y[r] - mean_y);
      }
    }
    weights = elimination::solve(system);
  } else {  // c^T (c c^T + 1 1^T)^-1: the ones fill the direction that centring took
    for (std::size_t i = 0; i < R; ++i) {
      system.emplace_back();
      for (std::size_t j = 0; j < R; ++j) system[i].push_back(product(c[i], c[j]) + 1);
      system[i].push_back(y[i] - mean_y);
    }
    const Row dual = elimination::solve(system);
    for (std::size_t i = 0; i < R; ++i)
      for (std::size_t k = 0; k < D; ++k) weights[k] += dual[i] * c[i][k];
  }
  weights.push_back(mean_y - product(weights, mean));
  return weights;
}

// Weights and, last, the intercept, by Newton's method on all of them; steps are halved until the objective falls.
inline Row logistic(const Table& x, const std::vector<int>& labels) {
  const std::size_t D = x[0].size();
  Row w(D + 1);
  const auto logit = [&](const Row& at, std::size_t r) { return product(x[r], at) + at[D]; };  // x has no last entry
  const auto objective = [&](const Row& at) {
    long double sum = 0;
    for (std::size_t k = 0; k < D; ++k) sum += at[k] * at[k] / 2;
    for (std::size_t r = 0; r < x.size(); ++r) {
      const long double z = labels[r] ? -logit(at, r) : logit(at, r);
      sum += z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
    }
    return sum;
  };
  for (int round = 0; round < 60; ++round) {
    Table system(D + 1, Row(D + 2));
    for (std::size_t i = 0; i < D; ++i) system[i][i] = 1, system[i][D + 1] = -w[i];
    for (std::size_t r = 0; r < x.size(); ++r) {
      Row z = x[r];
      z.push_back(1);
      const long double p = 1 / (1 + std::exp(-logit(w, r)));
      for (std::size_t i = 0; i <= D; ++i) {
        for (std::size_t j = 0; j <= D; ++j) system[i][j] += p * (1 - p) * z[i] * z[j];
        system[i][D + 1] += (labels[r] - p) * z[i];
      }
    }
    const Row way = elimination::solve(system);
    Row next;
    for (long double size = 1; size > 1e-6L; size /= 2) {
      next = w;
      for (std::size_t k = 0; k <= D; ++k) next[k] += size * way[k];
      if (objective(next) < objective(w)) break;
      next = w;
    }
    if (next == w) break;
    w = next;
  }
  return w;
}

// Cards 0 .. cards-1 shuffled by the stream's numbers, the first `count` of them.
inline std::vector<Index> dealt(const poslab::base::Stream& stream, Index cards, Index count) {
  std::vector<Index> deck(static_cast<std::size_t>(cards));
  std::iota(deck.begin(), deck.end(), Index{0});
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    std::swap(deck[i], deck[i + stream.below(i, deck.size() - i)]);
  deck.resize(static_cast<std::size_t>(count));
  return deck;
}

inline void add_position_fold(const Table& table, const std::vector<Index>& order, std::size_t first, std::size_t last,
                              double share, Probes& out) {
  Table x;
  Row y;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i < first || i >= last) {
      x.push_back(table[static_cast<std::size_t>(order[i])]);
      y.push_back(static_cast<long double>(order[i]));
    }
  const Row w = least_squares(x, y);
  const auto rows = static_cast<double>(last - first);
  const long double mean = std::accumulate(y.begin(), y.end(), 0.0L) / static_cast<long double>(y.size());
  for (std::size_t i = first; i < last; ++i) {
    const auto n = static_cast<long double>(order[i]);
    const long double predicted = product(table[static_cast<std::size_t>(order[i])], w) + w.back();
    out.position_error += share * static_cast<double>(std::abs(std::nearbyint(predicted) - n)) / rows;
    out.position_error_chance += share * static_cast<double>(std::abs(std::nearbyint(mean) - n)) / rows;
    out.position_residual = std::max(out.position_residual, static_cast<double>(std::abs(predicted - n)));
  }
}

inline void add_order_fold(const Table& features, const std::vector<int>& labels, const std::vector<int>& fold_of,
                           int fold, double share, Probes& out) {
  Table x;
  std::vector<int> y;
  double held_out = 0, wrong = 0, wrong_by_chance = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (fold_of[i] != fold) x.push_back(features[i]), y.push_back(labels[i]);
  const Row w = logistic(x, y);
  const int commoner = 2 * std::accumulate(y.begin(), y.end(), 0) > static_cast<int>(y.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (fold_of[i] != fold) continue;
    held_out += 1;
    wrong += (product(features[i], w) + w.back() > 0) != (labels[i] == 1);
    wrong_by_chance += commoner != labels[i];
  }
  out.order_error += share * wrong / held_out;
  out.order_error_chance += share * wrong_by_chance / held_out;
}

inline Probes probes(const Table& table, const poslab::data::Draws& draws, Index P, Index folds) {
  const auto N = static_cast<Index>(table.size());
  const double share = 1 / static_cast<double>(folds);
  Probes out;
  const std::vector<Index> order = dealt(draws.contents("rows", {N}), N, N);
  std::size_t first = 0;
  for (Index fold = 0; fold < folds; ++fold) {
    const std::size_t last = first + static_cast<std::size_t>(N / folds + (fold < N % folds ? 1 : 0));
    add_position_fold(table, order, first, last, share, out);
    first = last;
  }
  Table features;
  std::vector<int> labels;
  for (const Index card : dealt(draws.contents("pairs", {N, P}), N * N, P)) {
    features.push_back(table[static_cast<std::size_t>(card / N)]);
    const Row& second = table[static_cast<std::size_t>(card % N)];
    features.back().insert(features.back().end(), second.begin(), second.end());
    labels.push_back(card % N > card / N);
  }
  // Rows of the first row's kind are dealt before the others; each fold then takes its number of a kind in order.
  std::vector<int> fold_of(labels.size()), sorted;
  for (const bool same : {true, false})
    for (std::size_t i = 0; i < labels.size(); ++i)
      if ((labels[i] == labels[0]) == same) sorted.push_back(same);
  for (const bool same : {true, false}) {
    std::size_t row = 0;
    for (int fold = 0; fold < folds; ++fold)
      for (std::size_t card = static_cast<std::size_t>(fold); card < sorted.size();
           card += static_cast<std::size_t>(folds)) {
        if ((sorted[card] != 0) != same) continue;
        while ((labels[row] == labels[0]) != same) ++row;
        fold_of[row++] = fold;
      }
  }
  for (int fold = 0; fold < folds; ++fold) add_order_fold(features, labels, fold_of, fold, share, out);
  return out;
}

}  // namespace naive
