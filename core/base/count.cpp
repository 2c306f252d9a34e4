// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/count.hpp"

#include <fmt/format.h>

namespace poslab::base {

std::string counted_thing(long long count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace poslab::base
