// SPDX-License-Identifier: Apache-2.0
// An index beyond its array is a failure that says so, and so is a position of several numbers that is taken as one. A
// scheme that is built for speed (UNCHECKED in poslab_add_scheme) looks at none: then what lies there is read or
// written, and of the position the first number taken.
#pragma once

#include <cstddef>
#include <cstdint>

#include "poslab/sdk/failure.hpp"

namespace poslab::sdk {

#ifdef POSLAB_UNCHECKED
inline constexpr bool checks_bounds = false;
#else
inline constexpr bool checks_bounds = true;
#endif

/// "(3, 8)"
inline std::string index_text(const std::int64_t* numbers, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text(i ? ", " : "", numbers[i]);
  return "(" + all + ")";
}

[[noreturn, gnu::cold, gnu::noinline]] inline void no_such_entry(const std::int64_t* indices, std::size_t count,
                                                                 const std::int64_t* shape, std::size_t rank) {
  throw Failure(POSLAB_FAILED, text("an array of the shape ", index_text(shape, rank), " has no entry or row ",
                                    index_text(indices, count)));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void nothing_there(const char* what, std::int64_t index,
                                                                 std::int64_t count) {
  throw Failure(POSLAB_FAILED, text("there is no ", what, " ", index, ": there are ", count, ", counted from 0"));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void no_one_number(int axes) {
  throw Failure(POSLAB_FAILED,
                text("a position has ", axes, " axes here, but is taken as one number, a double: take it ",
                     "as a Point p, with p[0] to p[", axes - 1, "]"));
}

constexpr void require_one_axis(int axes) {
  if constexpr (checks_bounds)
    if (axes != 1) no_one_number(axes);
}

/// `what`: as "weight".
constexpr void require_below(std::int64_t index, std::int64_t count, const char* what) {
  if constexpr (checks_bounds)
    if (index < 0 || index >= count) nothing_there(what, index, count);
}

}  // namespace poslab::sdk
