// SPDX-License-Identifier: Apache-2.0
// The words of `poslab check`, and those that it gives to its children.
#include <string>
#include <vector>

#include "catch.hpp"
#include "commands/check.hpp"

namespace app = poslab::app;

namespace {

using Names = std::vector<std::string>;

// What `of` makes of these words.
template <class Of>
auto parsed(const Names& words, const Of& of) {
  app::CheckOptions options;
  const bool is_read = options.parse(words);  // before the assertion, since it may throw what a test waits for
  REQUIRE(is_read);
  return of(options);
}

poslab::check::Selection selection(const Names& words) {
  return parsed(words, [](const app::CheckOptions& options) { return options.selection(); });
}

Names child_words(const Names& words) {
  return parsed(words, [](const app::CheckOptions& options) { return options.child_arguments("x.so"); });
}

Names files(const Names& words) {
  return parsed(words, [](const app::CheckOptions& options) { return options.files(); });
}

}  // namespace

TEST_CASE("check: which checks, in lists and one by one") {
  CHECK(selection({"x.so"}).only.empty());
  CHECK(selection({"x.so"}).time_limit == 20);
  const auto some = selection({"x.so", "--only", "finite,far,", "--only", "causal", "--time-limit", "0.5"});
  CHECK(some.only == Names{"finite", "far", "causal"});
  CHECK(some.time_limit == 0.5);
}

TEST_CASE("check: one that there is not is named, with the nearest") {
  CHECK_THROWS_WITH(selection({"x.so", "--only", "finit"}),
                    ::check::contains("there is no check \"finit\"") && ::check::contains("finite"));
  for (const char* seconds : {"0", "-1", "nan"})
    CHECK_THROWS_WITH(selection({"x.so", "--time-limit", seconds}), ::check::contains("must be above 0 seconds"));
}

TEST_CASE("check: a child gets the plugin, what is set, and a model only if one was named") {
  CHECK(child_words({"x.so"}) == Names{"check", "x.so", "--perform"});
  CHECK(child_words({"x.so", "--set", "base=2", "--set", "style=half-split", "--heads", "2"}) ==
        Names{"check", "x.so", "--set", "base=2", "--set", "style=half-split", "--d-model", "32", "--heads", "2",
              "--perform"});
}

TEST_CASE("check: files by their names, without a look at other plugins") {
  const std::string file = POSLAB_PLUGIN_DIR "/rope.so";
  CHECK(files({file}) == Names{file});
}

TEST_CASE("check: a file that is not there") {
  CHECK_THROWS_WITH(files({"no/such.so"}), ::check::contains("no/such.so: no such file"));
  CHECK_THROWS_WITH(files({}), ::check::contains("name a plugin file or a scheme"));
}
