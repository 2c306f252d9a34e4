// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace poslab::app {

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace poslab::app
