// SPDX-License-Identifier: Apache-2.0
// The words of `poslab check`, and those that it gives to its children.
#include "poslab/app/arguments/check_options.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

namespace app = poslab::app;

namespace {

using Words = std::vector<std::string>;

boost::program_options::variables_map parsed(const Words& words) {
  app::Options options("check");
  app::add_check_options(options);
  return options.parse(words);
}

}  // namespace

TEST_CASE("check: which checks, in lists and one by one") {
  CHECK(app::selection_of(parsed({"x.so"})).only.empty());
  CHECK(app::selection_of(parsed({"x.so"})).time_limit == 20);
  const poslab::check::Selection selection =
      app::selection_of(parsed({"x.so", "--only", "finite,far,", "--only", "causal", "--time-limit", "0.5"}));
  CHECK(selection.only == Words{"finite", "far", "causal"});
  CHECK(selection.time_limit == 0.5);
}

TEST_CASE("check: one that there is not is named, with the nearest") {
  CHECK_THROWS_WITH(app::selection_of(parsed({"x.so", "--only", "finit"})),
                    ::check::contains("there is no check \"finit\"") && ::check::contains("finite"));
  for (const char* seconds : {"0", "-1", "nan"})
    CHECK_THROWS_WITH(app::selection_of(parsed({"x.so", "--time-limit", seconds})),
                      ::check::contains("--time-limit wants a number of seconds above 0"));
}

TEST_CASE("check: a child gets the plugin, what is set, and a model only if one was named") {
  CHECK(app::child_arguments(parsed({"x.so"}), "x.so") == Words{"check", "x.so", "--perform"});
  CHECK(app::child_arguments(parsed({"x.so", "--set", "base=2", "--set", "style=half-split", "--heads", "2"}),
                             "x.so") == Words{"check", "x.so", "--set", "base=2", "--set", "style=half-split",
                                              "--d-model", "32", "--heads", "2", "--perform"});
}

TEST_CASE("check: files by their names, without a look at other plugins") {
  const std::string file = POSLAB_PLUGIN_DIR "/rope.so";
  const app::PluginFiles found = app::plugin_files_of(parsed({file}));
  CHECK(found.files == Words{file});
  CHECK(found.notices.empty());
}

TEST_CASE("check: a file that is not there") {
  CHECK_THROWS_WITH(app::plugin_files_of(parsed({"no/such.so"})), ::check::contains("no/such.so: no such file"));
  CHECK_THROWS_WITH(app::plugin_files_of(parsed({})), ::check::contains("name a plugin file or a scheme"));
}
