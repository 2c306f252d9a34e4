// SPDX-License-Identifier: Apache-2.0
// How many of something, in words.
#pragma once

#include <concepts>
#include <string>

namespace poslab::base {

/// "1 cell", "0 cells", "12 cells"; `thing` in the singular, whose plural has an s more.
std::string counted_thing(long long count, const char* thing);
template <std::integral Count>
std::string counted(Count count, const char* thing) {
  return counted_thing(static_cast<long long>(count), thing);
}

}  // namespace poslab::base
