// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include "catch.hpp"

using namespace poslab;

TEST_CASE("new: the next commands, by where the folder is and what CMake must be told") {
  CHECK(app::new_scheme_text({"./mine", "mine", "bias", false, "/opt/poslab"}) ==
        "./mine is written: a scheme to change into yours, of the family bias.\n"
        "Next:\n  cmake -S ./mine -B ./mine/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=/opt/poslab\n"
        "  cmake --build ./mine/build && ctest --test-dir ./mine/build --output-on-failure\n"
        "and in studies: poslab run STUDY.toml --plugins ./mine/build\n");
  CHECK_THAT(app::new_scheme_text({"./mine", "mine", "bias", false, ""}), check::contains("BUILD_TYPE=Release\n"));
  CHECK_THAT(app::new_scheme_text({"plugins/mine", "mine", "bias", true, "/opt/poslab"}),
             check::contains("./dev build poslab poslab_scheme_mine"));
}

TEST_CASE("new: what building needs and is not here stands beside the commands, with where to get it") {
  const std::string said = app::new_scheme_text(
      {"./mine", "mine", "bias", false, "", {{"a C++ compiler", "g++", ""}, {"Ninja", "ninja-build", "ninja"}}});
  CHECK_THAT(said,
             check::contains("which need a C++ compiler and Ninja, not found here: apt install g++ ninja-build on "
                             "Debian, or pip install ninja\n"));
  CHECK_THAT(app::new_scheme_text({"./mine", "mine", "bias", false, "", {{"a C++ compiler", "g++", ""}}}),
             check::contains("apt install g++ on Debian\n"));
}
