// SPDX-License-Identifier: Apache-2.0
// Which positions `table` is asked for.
#include "commands/table.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

app::TablePositions asked(const std::string& option) {
  app::TableOptions options;
  const bool is_read = options.parse({"rope", option});
  REQUIRE(is_read);
  return app::table_positions(options.positions, options.grid);
}

}  // namespace

TEST_CASE("positions: from, to, and how far apart") {
  const app::TablePositions some = asked("--positions=2:9:3");
  REQUIRE(some.positions.extent(0) == 3);
  CHECK(some.positions(2, 0) == 8);
  CHECK(asked("--grid=2x3").positions.extent(0) == 6);
}

TEST_CASE("positions: what is written in another way is told how it is written, with an example") {
  for (const char* wrong : {"0-64", "64", "5:5", "0:4:0", "0:", "a:b"})
    CHECK_THROWS_WITH(asked(std::string("--positions=") + wrong),
                      check::contains("A:B") && check::contains("like 0:64") &&
                          check::contains(std::string("not \"") + wrong + "\""));
  for (const char* wrong : {"8", "8by8", "8*8", "2x2x2x2"})
    CHECK_THROWS_WITH(asked(std::string("--grid=") + wrong), check::contains("ROWSxCOLUMNS") &&
                                                                 check::contains("like 8x8") &&
                                                                 check::contains(std::string("not \"") + wrong + "\""));
}
