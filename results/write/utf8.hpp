// SPDX-License-Identifier: Apache-2.0
// Text that any reader can decode: messages come from plugins and file systems, which promise no encoding.
#pragma once

#include <string>
#include <string_view>

namespace poslab::results {

/// `text` with every byte that is not part of well-formed UTF-8, and every NUL, replaced by U+FFFD.
std::string well_formed(std::string_view text);

}  // namespace poslab::results
