// SPDX-License-Identifier: Apache-2.0
// For contextual schemes, which sum what the tokens between a key and a query say, in the order in which the keys come.
// Not part of <poslab/scheme.hpp>: #include <poslab/sdk/running_sum.hpp>.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "poslab/sdk/failure.hpp"
#include "poslab/sdk/tape.hpp"
#include "poslab/sdk/tile.hpp"

namespace poslab {

/// What sums over a whole sequence are kept in: a float's would lose digits as the sequence grows.
template <class S>
using Sum = std::conditional_t<std::is_arithmetic_v<S>, double, S>;

/// [n]: of_key(0) + ... + of_key(n - 1), for n = 0 .. count.
template <class S, class OfKey>
std::vector<Sum<S>> running_sums(Index count, OfKey of_key) {
  std::vector<Sum<S>> sums{Sum<S>(0)};
  sums.reserve(static_cast<std::size_t>(count + 1));
  for (Index j = 0; j < count; ++j) sums.push_back(sums.back() + of_key(j));
  return sums;
}

/// The gradient by every of_key(j) from that by the running sums: each sum after key j has it.
inline std::vector<double> running_sums_gradient(const std::vector<double>& by_sums) {
  std::vector<double> by_keys(by_sums.size() - 1);
  double later = 0;
  for (std::size_t j = by_keys.size(); j-- > 0;) by_keys[j] = later += by_sums[j + 1];
  return by_keys;
}

/// How many keys query i of the tile may see under a causal mask: those up to its own.
template <class S>
Index keys_seen(const ScoreTile<S>& tile, Index i) {
  const Index index = tile.first_query + i, Nk = tile.key_positions.size();
  require(index >= 0 && index < Nk, "query ", index, " must be one of the ", Nk,
          " keys: this scheme goes by what the tokens up to it say");
  return index + 1;
}

}  // namespace poslab
