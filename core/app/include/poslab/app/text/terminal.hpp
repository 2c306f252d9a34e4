// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace poslab::app {

/// Characters in a line of standard output, or of another descriptor; 80 where it is no terminal.
std::size_t terminal_width(int descriptor = 1);
/// A terminal, of a person who has not set NO_COLOR.
bool shows_colours(int descriptor);

}  // namespace poslab::app
