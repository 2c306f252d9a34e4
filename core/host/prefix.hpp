// SPDX-License-Identifier: Apache-2.0
// Reading structs of the C boundary that may be shorter (an older header) or longer (a newer one) than ours.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace poslab::host {

/// A copy of `source` as far as its own `size` reaches; members beyond read as zero.
template <class Struct>
Struct copy_within_size(const Struct& source) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  Struct copy{};
  std::memcpy(&copy, &source, std::min<std::size_t>(source.size, sizeof(Struct)));
  return copy;
}

}  // namespace poslab::host
