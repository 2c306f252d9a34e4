// SPDX-License-Identifier: Apache-2.0
// Text with styles, and what a terminal gets of it.
#include "terminal/styled_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "catch.hpp"

using namespace poslab;
using app::Colours;
using app::Style;
using app::StyledText;

namespace {

// Relative luminance, and the contrast of two, as in WCAG 2.
double luminance(const std::array<int, 3>& rgb) {
  const auto linear = [](int byte) {
    const double x = byte / 255.0;
    return x <= 0.03928 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}

double contrast(double a, double b) { return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05); }

// A colour of the cube of 6 x 6 x 6 that begins at 16.
std::array<int, 3> of_cube(int colour) {
  constexpr std::array<int, 6> levels{0, 95, 135, 175, 215, 255};
  const auto level = [&](int divisor) { return levels.at(static_cast<std::size_t>((colour - 16) / divisor % 6)); };
  return {level(36), level(6), level(1)};
}

}  // namespace

TEST_CASE("every colour is readable on black, on dark grey, on white and on paper, and is none that themes change") {
  for (const Style style : {Style::good, Style::bad, Style::partly, Style::unsure}) {
    const int colour = app::colour_of(style);
    REQUIRE(colour >= 16);
    REQUIRE(colour < 232);
    for (const std::array<int, 3>& ground :
         {std::array{0, 0, 0}, {0x1E, 0x1E, 0x1E}, {0xFF, 0xFF, 0xFF}, {0xFD, 0xF6, 0xE3}})
      CHECK(contrast(luminance(of_cube(colour)), luminance(ground)) >= 3);  // of large or bold letters
  }
}

TEST_CASE("what a stranger wrote stays escaped where our own colours pass") {
  const StyledText text = StyledText(Style::bad, "no\033[2J") + " of " + std::string("x\033[31m\x9B");
  CHECK(text.written(Colours::many) == "\033[1;38;5;160mno\\u001B[2J\033[0m of x\\u001B[31m\\x9B");
  CHECK(text.written(Colours::bold) == "\033[1mno\\u001B[2J\033[0m of x\\u001B[31m\\x9B");
  CHECK(text.written(Colours::none) == "no\\u001B[2J of x\\u001B[31m\\x9B");
  CHECK(text.width() == text.plain().size());
}

TEST_CASE("lines that are too wide go on below their last column, or a little further in") {
  CHECK(StyledText("ok  name  a b c d e f").fitted(21).plain() == "ok  name  a b c d e f");
  CHECK(StyledText("ok  a bcd e f gh i\nk\n").fitted(10).plain() == "ok  a bcd\n    e f gh\n    i\nk\n");
  CHECK(StyledText("one two three four").fitted(9).plain() == "one two\n    three\n    four");
  CHECK(StyledText("    one two three").fitted(11).plain() == "    one two\n    three");
  CHECK(StyledText("a b\n\n").fitted(3).plain() == "a b\n\n");
  CHECK(StyledText("averylongword b").fitted(5).plain() == "averylongword\n    b");
  CHECK(StyledText("ä ö ü").fitted(5).plain() == "ä ö ü");
}

TEST_CASE("a break falls into no style and into no command") {
  const StyledText text = StyledText("see ") + StyledText(Style::good, "all is well") + " " +
                          StyledText(Style::command, "poslab run --only x") + " or not";
  CHECK(text.fitted(12).written(Colours::bold) ==
        "see \033[1mall is\033[0m\n    \033[1mwell\033[0m\n    poslab run --only x\n    or not");
}
