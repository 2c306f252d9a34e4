// SPDX-License-Identifier: Apache-2.0
// Look-up in short lists.
#pragma once

namespace poslab::base {

/// The first of the items whose `member` is `wanted`: find_by(schemes, &SchemeInfo::id, "rope"). Null where none is.
template <class Items, class Member, class Wanted>
auto find_by(Items& items, Member member, const Wanted& wanted) -> decltype(items.data()) {
  for (auto& item : items)
    if (item.*member == wanted) return &item;
  return nullptr;
}

}  // namespace poslab::base
