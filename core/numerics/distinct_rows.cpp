// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/distinct.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

#include "poslab/numerics/format.hpp"

namespace poslab::numerics {
using base::at;
namespace {

// What is compared of an entry.
template <Stored stored, class S>
auto entry_of(S x) {
  if constexpr (stored == Stored::as_given)
    return x;
  else if constexpr (stored == Stored::as_float32)
    return static_cast<float>(x);
  else
    return to_bfloat16(static_cast<float>(x));
}

// Multiplicative hash in four independent chains, so that the multiplications overlap.
template <Stored stored, class S>
std::uint64_t hash(const S* row, Index width) {
  constexpr Index chains = 4;
  std::uint64_t state[chains] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93};
  for (Index i = 0; i < width; ++i) {
    const double entry = static_cast<double>(entry_of<stored>(row[i])) + 0.0;  // -0 becomes 0
    std::uint64_t& chain = state[i % chains];
    chain = (chain ^ std::bit_cast<std::uint64_t>(entry)) * 0xff51afd7ed558ccd;
    chain ^= chain >> 32;
  }
  return state[0] ^ std::rotl(state[1], 16) ^ std::rotl(state[2], 32) ^ std::rotl(state[3], 48);
}

template <Stored stored, class S>
bool are_equal(const S* one, const S* other, Index width) {
  return std::equal(one, one + width, other, [](S x, S y) { return entry_of<stored>(x) == entry_of<stored>(y); });
}

template <Stored stored, class S>
DistinctRows distinct_as(View<const S> rows) {
  const Index N = rows.shape[0], W = rows.stride();
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(N));
  tbb::parallel_for(tbb::blocked_range<Index>(0, N, 256), [&](const tbb::blocked_range<Index>& range) {
    for (Index row = range.begin(); row < range.end(); ++row) hashes[at(row)] = hash<stored>(rows.data + row * W, W);
  });
  DistinctRows distinct;
  distinct.kind.reserve(static_cast<std::size_t>(N));
  std::unordered_multimap<std::uint64_t, Index> kinds;
  kinds.reserve(static_cast<std::size_t>(N));
  for (Index row = 0; row < N; ++row) {
    const S* entries = rows.data + row * W;
    Index kind = -1;
    const auto [begin, end] = kinds.equal_range(hashes[at(row)]);
    for (auto same_hash = begin; same_hash != end && kind < 0; ++same_hash) {
      const S* known = rows.data + distinct.first[at(same_hash->second)] * W;
      if (are_equal<stored>(entries, known, W)) kind = same_hash->second;
    }
    if (kind < 0) {
      kind = static_cast<Index>(distinct.first.size());
      kinds.emplace(hashes[at(row)], kind);
      distinct.first.push_back(row);
      distinct.others.emplace_back();
    } else {
      distinct.others[at(kind)].push_back(row);
    }
    distinct.kind.push_back(kind);
  }
  return distinct;
}

template <Stored stored, class S>
Index count_as(View<const S> rows) {
  return static_cast<Index>(distinct_as<stored>(rows).first.size());
}

}  // namespace

template <class S>
DistinctRows find_distinct_rows(View<const S> rows) {
  return distinct_as<Stored::as_given>(rows);
}

template <class S>
Index distinct_rows(View<const S> rows, Stored stored) {
  switch (stored) {
    case Stored::as_given: return count_as<Stored::as_given>(rows);
    case Stored::as_float32: return count_as<Stored::as_float32>(rows);
    case Stored::as_bfloat16: return count_as<Stored::as_bfloat16>(rows);
  }
  return 0;
}

template Index distinct_rows(View<const double>, Stored);
template Index distinct_rows(View<const float>, Stored);
template DistinctRows find_distinct_rows(View<const double>);
template DistinctRows find_distinct_rows(View<const float>);

}  // namespace poslab::numerics
