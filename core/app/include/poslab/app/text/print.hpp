// SPDX-License-Identifier: Apache-2.0
// The one way to the terminal: whatever poslab says goes through here. At once, for whoever is waiting; and fit to
// print, since names, titles and sentences of plugins, studies and files may stand in any text. Their line breaks,
// which would look like ours, are escaped where they become part of a text.
#pragma once

#include <cstdio>
#include <string>

#include "poslab/app/text/styled_text.hpp"

namespace poslab::app {

/// Words for people: on a terminal in colours, and no line wider than it is.
void print(std::FILE* stream, const StyledText& text);

/// For programs and for the clipboard, or drawn: no line is broken. In JSON the escapes are its own, and only in
/// strings.
void print_as_it_is(std::FILE* stream, const std::string& text);

}  // namespace poslab::app
