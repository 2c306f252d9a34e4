// SPDX-License-Identifier: Apache-2.0
// Attributes of groups and datasets: texts, numbers and lists of flags.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "h5/handle.hpp"

namespace poslab::results::h5 {

using Attribute = std::variant<std::string, double, std::int64_t, std::uint8_t, std::vector<std::uint8_t>>;
using Attributes = std::vector<std::pair<std::string, Attribute>>;

void put_attribute(hid_t object, const std::string& name, const Attribute& value);
bool has_attribute(hid_t object, const std::string& name);
/// Throw Error if there is none or its type is another.
std::string text_attribute(hid_t object, const std::string& name);
double number_attribute(hid_t object, const std::string& name);

}  // namespace poslab::results::h5
