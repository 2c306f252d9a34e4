// SPDX-License-Identifier: Apache-2.0
// The one way to the terminal: whatever poslab says goes through `print`.
#pragma once

#include <cstdio>
#include <string>

#include "poslab/base/printable.hpp"

namespace poslab::app {

/// At once, for whoever is waiting; and fit to print, since names, titles and sentences of plugins, studies and files
/// may stand in any text. Their line breaks, which would look like ours, are escaped where they become part of a text.
/// In JSON the escapes are its own, and only in strings.
inline void print(std::FILE* stream, const std::string& text) {
  std::fputs(base::printable(text, base::Lines::kept).c_str(), stream);
  std::fflush(stream);
}

}  // namespace poslab::app
