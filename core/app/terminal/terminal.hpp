// SPDX-License-Identifier: Apache-2.0
// The terminal: how wide it is, what it shows of styles, and the one way to it. Whatever poslab says goes through here:
// at once, for whoever is waiting; and fit to print, since names, titles and sentences of plugins, studies and files
// may stand in any text. Their line breaks, which would look like ours, are escaped where they become part of a text.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "terminal/styled_text.hpp"

namespace poslab::app {

/// Characters in a line of standard output, or of another descriptor; 80 where it is no terminal.
std::size_t terminal_width(int descriptor = 1);
/// Lines of a terminal; 0 where it is none, and all that was printed can be seen.
std::size_t terminal_height(int descriptor);
/// Characters in a line of a terminal; elsewhere a line is as long as it is.
std::size_t line_width(int descriptor);
/// What it shows of styles: nothing where it is no terminal, or that of a person who has set NO_COLOR.
Colours colours_of(int descriptor);

/// Words for people: on a terminal in colours, and no line wider than it is.
void print(std::FILE* stream, const StyledText& text);
/// For programs and for the clipboard, or drawn: no line is broken. In JSON the escapes are its own, and only in
/// strings.
void print_as_it_is(std::FILE* stream, const std::string& text);

}  // namespace poslab::app
