// SPDX-License-Identifier: Apache-2.0
// Text as words of bash: whatever a file is called, bash reads back the same bytes.
#pragma once

#include <string>
#include <vector>

namespace poslab::base {

/// Never holds a line break, so that it may stand inside a here-document.
std::string shell_word(const std::string& text);
/// Separated by spaces.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace poslab::base
