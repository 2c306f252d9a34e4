// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace poslab::app {

bool shows_colours(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = !terminal || std::string_view(terminal) == "dumb";
  return isatty(descriptor) != 0 && (!no_colour || !*no_colour) && !is_dumb;
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace poslab::app
