// SPDX-License-Identifier: Apache-2.0
// What a target calls when the program did something wrong that no sanitizer sees.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace poslab::fuzz {

[[noreturn]] inline void finding(const char* what) {
  std::fprintf(stderr, "FINDING: %s\n", what);
  std::abort();
}

inline void require(bool holds, const char* what) {
  if (!holds) finding(what);
}

}  // namespace poslab::fuzz
