// SPDX-License-Identifier: Apache-2.0
// What becomes of the child that a command runs in. The child is this test program, started again: it ends as its
// arguments say.
#include "contained.hpp"

#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/process/child.hpp"
#include "scratch.hpp"

using namespace poslab;

namespace {

constexpr const char* ends_by = "ends-by";

[[noreturn]] void end_by(const std::string& how) {
  if (how == "hanging") pause();
  if (how == "exit") _exit(7);
  std::raise(std::stoi(how));
  _exit(99);
}

// Before main: with these arguments the test program is the child and not the test.
const bool is_ending = [] {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.size() == 4 && words[1] == process::in_child && words[2] == ends_by) end_by(words[3]);
  if (words.size() >= 4 && words[1] == process::in_child && words[3] == "hanging") end_by(words[3]);
  return false;
}();

}  // namespace

TEST_CASE("a contained command: its exit code is passed on, and signals of people and readers are no fault") {
  CHECK(app::contained({ends_by, "exit"}, app::ContainedOptions("a plugin", 60)) == 7);
  CHECK(app::contained({ends_by, std::to_string(SIGPIPE)}, app::ContainedOptions("a plugin", 60)) == 128 + SIGPIPE);
  CHECK(app::contained({ends_by, std::to_string(SIGTERM)}, app::ContainedOptions("a plugin", 60)) == 128 + SIGTERM);
}

TEST_CASE("a contained command: any other signal is told, with the command and whom to suspect") {
  try {
    app::contained({ends_by, std::to_string(SIGKILL)}, app::ContainedOptions("a plugin", 60));
    FAIL("it must throw");
  } catch (const app::CommandEnded& ended) {
    CHECK(ended.command == ends_by);
    CHECK(ended.suspect == "a plugin");
    CHECK(ended.signal == SIGKILL);
    CHECK(std::string(ended.what()) == "ends-by: a plugin ended the process with SIGKILL (killed)");
  }
}

TEST_CASE("a contained command: one that does not come back is ended, and its limit is told") {
  try {
    app::contained({ends_by, "hanging"}, app::ContainedOptions("a plugin", 0.2));
    FAIL("it must throw");
  } catch (const app::CommandTimedOut& late) {
    CHECK(late.command == ends_by);
    CHECK(late.suspect == "a plugin");
    CHECK(late.time_limit == 0.2);
    CHECK(std::string(late.what()) == "ends-by: a plugin did not come back within 0.2 s (--time-limit)");
  }
}

TEST_CASE("a contained command: a file that it reads gives it time by its size, unless --time-limit says how long") {
  const check::Scratch scratch;
  const std::string file = scratch / "a.h5";
  std::ofstream(file) << std::string(250000, '.');
  const auto limit_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{file, "hanging"};
    words.insert(words.end(), more.begin(), more.end());
    app::ContainedOptions options("a plugin", 0.1);
    options.seconds_a_megabyte = 0.4;
    options.words.most = app::Words::any;
    REQUIRE(options.parse(words));
    try {
      app::contained(words, options);
    } catch (const app::CommandTimedOut& late) {
      return late.time_limit;
    }
    return 0.0;
  };
  CHECK(limit_with({}) == 0.1 + 0.4 * 0.25);
  CHECK(limit_with({"--time-limit=0.05"}) == 0.05);
}
