// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace poslab::app {

/// Characters in a line of standard output; 80 where it is no terminal.
std::size_t terminal_width();

}  // namespace poslab::app
