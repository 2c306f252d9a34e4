// SPDX-License-Identifier: Apache-2.0
// JSON with its members in the order in which they were added. Sources that build or parse values include
// <nlohmann/json.hpp> themselves: it is slow to compile, so no header does.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace poslab::base {

using Json = nlohmann::ordered_json;

/// On one line, or over several with `indent` spaces a level. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const Json& value, int indent = -1);

}  // namespace poslab::base
