// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/json.hpp"

#include <nlohmann/json.hpp>

namespace poslab::base {

std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace poslab::base
