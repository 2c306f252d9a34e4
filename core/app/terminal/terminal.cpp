// SPDX-License-Identifier: Apache-2.0
#include "terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <string_view>

namespace poslab::app {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

Colours colours_of(int descriptor) {
  const std::string_view terminal = variable("TERM");
  const bool is_wanted = variable("NO_COLOR").empty();  // https://no-color.org
  if (isatty(descriptor) == 0 || !is_wanted || terminal.empty() || terminal == "dumb") return Colours::none;
  // Themes change the first 16 colours, often to such as cannot be read: where there are no others, signs are bold.
  const bool has_many = terminal.find("256color") != std::string_view::npos || !variable("COLORTERM").empty();
  return has_many ? Colours::many : Colours::bold;
}

std::size_t line_width(int descriptor) {
  return isatty(descriptor) != 0 ? terminal_width(descriptor) : std::numeric_limits<std::size_t>::max();
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::size_t terminal_height(int descriptor) {
  winsize size{};
  if (isatty(descriptor) == 0) return 0;
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return known ? size.ws_row : 24;
}

void print(std::FILE* stream, const StyledText& text) {
  const int descriptor = fileno(stream);
  std::fputs(text.fitted(line_width(descriptor)).written(colours_of(descriptor)).c_str(), stream);
  std::fflush(stream);
}

void print_as_it_is(std::FILE* stream, const std::string& text) {
  std::fputs(StyledText(text).written(Colours::none).c_str(), stream);
  std::fflush(stream);
}

}  // namespace poslab::app
