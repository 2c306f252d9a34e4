// SPDX-License-Identifier: Apache-2.0
// The codes of positions and of offsets, and what pairs of them say, by plain loops over the page's definitions.
// Dimension letters: N codes, W width, H heads, K head width.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "naive_scheme.hpp"

namespace naive::uniqueness {

/// Codes of positions, [N][W]: the rows that are added, or every head's all-ones key (value), transformed.
inline Rows position_codes(const Sight& sight) {
  const Subject& of = sight.of;
  if (of.has(Operation::encode)) return sight.codes(of.positions);
  if (!of.has(Operation::transform)) return filled(of.N, 1, 0);
  return join(sight.transformed(of.coded_side(), of.positions, Heads(of.H, filled(of.N, of.K, 1))));
}

/// c(q, k; r): what the scheme adds to the logit of that query and these keys, [H][N].
inline Rows change(const Sight& sight, std::size_t query, const Numbers& q, const Numbers& k) {
  const Subject& of = sight.of;
  const Heads queries(of.H, Rows(of.N, q)), keys(of.H, Rows(of.N, k));
  const double scale = of.scheme.logit_scale();
  Rows changes = sight.logits_of(query, of.positions, queries, keys, {}, scale);
  for (Numbers& head : changes)
    for (double& logit : head) logit -= scale * product(q, k);
  return changes;
}

/// The value row that `mix` adds for a key that has all the attention, [H K].
inline Numbers value_row(const Sight& sight, std::size_t query, std::size_t key) {
  const Subject& of = sight.of;
  const auto H = static_cast<Index>(of.H), N = static_cast<Index>(of.N);
  Array<double> attention{H, 1, N}, out{H, 1, static_cast<Index>(of.K)};
  for (Index h = 0; h < H; ++h) attention(h, 0, static_cast<Index>(key)) = 1;
  const Array<double> at = packed({of.positions[query]}, 1), all = packed(of.positions, 1);
  of.scheme.mix<double>(sight.context, {at, all, static_cast<Index>(query)}, attention, sight.weights(), out);
  return {out.flat().begin(), out.flat().end()};
}

/// Codes of the offsets of the token `query` to all, the last token first: [N][W]. Blocks that are rounding are zeros.
inline Rows offset_codes(const Sight& sight, std::size_t query) {
  const Subject& of = sight.of;
  const Numbers zero(of.K, 0.0), ones(of.K, 1.0);
  const auto unit = [&](std::size_t a) {
    Numbers e = zero;
    e[a] = 1;
    return e;
  };
  std::vector<Rows> blocks;  // [block][H or H K][N]
  const Rows nothing = change(sight, query, zero, zero);
  blocks.push_back(nothing);
  Rows of_query, of_key, of_both;
  for (std::size_t a = 0; a < of.K && of.has(Operation::score); ++a) {
    const Rows q = change(sight, query, unit(a), zero), k = change(sight, query, zero, unit(a)),
               both = change(sight, query, unit(a), ones);
    for (std::size_t h = 0; h < of.H; ++h) {
      Numbers by_query, by_key, by_both;
      for (std::size_t n = 0; n < of.N; ++n) {
        by_query.push_back(q[h][n] - nothing[h][n]), by_key.push_back(k[h][n] - nothing[h][n]);
        by_both.push_back(both[h][n] - q[h][n]);
      }
      of_query.push_back(by_query), of_key.push_back(by_key), of_both.push_back(by_both);
    }
  }
  for (std::size_t h = 0; h < of.H; ++h)
    for (std::size_t n = 0; n < of.N && !of_both.empty(); ++n) {
      double ones_key = 0;
      for (std::size_t a = 0; a < of.K; ++a) ones_key += of_key[a * of.H + h][n];
      for (std::size_t a = 0; a < of.K; ++a) of_both[a * of.H + h][n] -= ones_key;
    }
  for (const Rows& block : {of_query, of_key, of_both}) blocks.push_back(block);
  Rows codes(of.N);
  for (const Rows& block : blocks) {
    double largest = 0;
    for (const Numbers& column : block)
      for (const double entry : column) largest = std::max(largest, std::abs(entry));
    for (const Numbers& column : block)
      for (std::size_t n = 0; n < of.N; ++n) codes[of.N - 1 - n].push_back(largest < 1e-12 ? 0 : column[n]);
  }
  for (std::size_t n = 0; n < of.N && of.has(Operation::mix); ++n)
    for (const double entry : value_row(sight, query, n)) codes[of.N - 1 - n].push_back(entry);
  return codes;
}

inline double root_mean_square_norm(const Rows& codes) {
  double squares = 0;
  for (const Numbers& code : codes) squares += product(code, code);
  return std::sqrt(squares / static_cast<double>(codes.size()));
}

/// Whether two codes are no farther apart than 1e-9 of the longer.
inline bool collide(const Numbers& a, const Numbers& b) {
  return distance(a, b) <= 1e-9 * std::sqrt(std::max(product(a, a), product(b, b)));
}

/// Classes of codes, those connected by pairs that collide: every code takes the least number that reaches it.
inline double classes(const Rows& codes) {
  std::vector<std::size_t> of(codes.size());
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = i;
  for (std::size_t round = 0; round < of.size(); ++round)
    for (std::size_t i = 0; i < of.size(); ++i)
      for (std::size_t j = 0; j < of.size(); ++j)
        if (collide(codes[i], codes[j])) of[i] = std::min(of[i], of[j]);
  return static_cast<double>(std::set<std::size_t>(of.begin(), of.end()).size());
}

/// A code's distance to the nearest other, which that is (the first of a tie), how many others collide with it.
struct Nearest {
  double distance = std::numeric_limits<double>::quiet_NaN(), other = distance, collisions = 0;
};
inline Nearest nearest(const Rows& codes, std::size_t i) {
  Nearest found;
  for (std::size_t j = 0; j < codes.size(); ++j) {
    if (j == i) continue;
    const double apart = distance(codes[i], codes[j]);
    if (!(found.distance <= apart)) found.distance = apart;
    found.collisions += collide(codes[i], codes[j]);
  }
  for (std::size_t j = codes.size(); j-- > 0;)
    if (j != i && distance(codes[i], codes[j]) <= found.distance * (1 + 1e-12)) found.other = static_cast<double>(j);
  return found;
}

/// How many different codes are left in numbers of 32 bits, or of the first 8 bits of their significand.
inline double distinct_stored(const Rows& codes, bool as_bfloat16) {
  std::set<std::vector<float>> all;
  for (const Numbers& code : codes) {
    std::vector<float> stored;
    for (const double entry : code) {
      auto number = static_cast<float>(entry);
      int exponent = 0;
      const float fraction = std::frexp(number, &exponent);  // of 8 bits, halves to even
      if (as_bfloat16) number = std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
      stored.push_back(number == 0 ? 0 : number);
    }
    all.insert(stored);
  }
  return static_cast<double>(all.size());
}

}  // namespace naive::uniqueness
