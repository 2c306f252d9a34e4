// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/print.hpp"

#include "poslab/app/text/terminal.hpp"

namespace poslab::app {

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
