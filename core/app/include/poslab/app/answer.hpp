// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poslab::app {

/// In a child of this program: sends `text` to its parent. False if it could not be sent in whole.
bool answer(const std::string& text);

}  // namespace poslab::app
