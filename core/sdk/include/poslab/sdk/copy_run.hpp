// SPDX-License-Identifier: Apache-2.0
// Copying runs of numbers into arrays that may be larger than the caches. Stores that go past the caches need not read
// first what they overwrite: half of the time of a large bias.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>

#include "poslab/sdk/model.hpp"

namespace poslab::sdk {

/// Arrays of more bytes than this are written past the caches: nobody finds them there again.
inline constexpr std::size_t largest_cached = std::size_t{32} << 20;

// A loop, not memmove, whose string instructions are slower on rows of tens of kilobytes.
template <class S>
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif
void copy_run(const S* __restrict from, Index count, S* __restrict to) {
  for (Index j = 0; j < count; ++j) to[j] = from[j];
}

/// The same, past the caches. After the last of them and before anybody reads: finish_copies().
template <class S>
void copy_run_past_caches(const S* __restrict from, Index count, S* __restrict to) {
#if defined(__SSE2__)
  constexpr Index at_once = 16 / sizeof(S), line = 64 / sizeof(S);
  Index j = 0;
  for (; j < count && reinterpret_cast<std::uintptr_t>(to + j) % 64 != 0; ++j) to[j] = from[j];
  for (; j + line <= count; j += line)
    for (Index k = j; k < j + line; k += at_once)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + k), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k)));
  for (; j < count; ++j) to[j] = from[j];
#else
  copy_run(from, count, to);
#endif
}

inline void finish_copies() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace poslab::sdk
