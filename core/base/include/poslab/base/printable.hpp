// SPDX-License-Identifier: Apache-2.0
// Texts of files that may come from anybody, on their way to a terminal, which obeys what it is sent.
#pragma once

#include <string>

namespace poslab::base {

enum class Lines { broken, kept };

/// With `?` for every control character: of ASCII, and of the second half of Latin-1 as UTF-8 writes it. Line breaks
/// and tabs stay where `lines` are kept, as in our own sentences around such texts.
std::string printable(std::string text, Lines lines = Lines::broken);

}  // namespace poslab::base
