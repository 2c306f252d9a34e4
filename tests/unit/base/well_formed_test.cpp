// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/printable.hpp"

#include "catch.hpp"

using poslab::base::well_formed;

TEST_CASE("well-formed text is left alone") {
  const std::string text = "\xC3\xA9 \xE2\x80\x94 \xF0\x9F\x98\x80 plain\n";
  CHECK(well_formed(text) == text);
  CHECK(well_formed("").empty());
}

TEST_CASE("what no reader could decode is replaced, byte by byte") {
  const std::string mark = "\xEF\xBF\xBD";
  CHECK(well_formed("a\xE9z") == "a" + mark + "z");
  CHECK(well_formed("\xE2\x80") == mark + mark);                        // cut off
  CHECK(well_formed("\xC0\xAF") == mark + mark);                        // overlong
  CHECK(well_formed("\xE0\x80\x80") == mark + mark + mark);             // overlong
  CHECK(well_formed("\xED\xA0\x80") == mark + mark + mark);             // surrogate
  CHECK(well_formed("\xF4\x90\x80\x80") == mark + mark + mark + mark);  // above U+10FFFF
  CHECK(well_formed(std::string("a\0b", 3)) == "a" + mark + "b");       // would end the text
}
