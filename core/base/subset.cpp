// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/subset.hpp"

#include <cstdint>
#include <set>

namespace poslab::base {

std::vector<Index> drawn_subset(const Stream& stream, Index count, Index range) {
  std::set<Index> chosen;
  for (Index last = range - count; last < range; ++last) {
    const auto number = static_cast<std::uint64_t>(last - (range - count));
    const auto pick = static_cast<Index>(stream.below(number, static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(pick).second) chosen.insert(last);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace poslab::base
