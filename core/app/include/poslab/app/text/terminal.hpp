// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "poslab/app/text/styled_text.hpp"

namespace poslab::app {

/// Characters in a line of standard output, or of another descriptor; 80 where it is no terminal.
std::size_t terminal_width(int descriptor = 1);
/// That of a terminal; elsewhere a line is as long as it is.
std::size_t line_width(int descriptor);
/// What it shows of styles: nothing where it is no terminal, or that of a person who has set NO_COLOR.
Colours colours_of(int descriptor);

}  // namespace poslab::app
