// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/program.hpp"

#include <cerrno>
#include <csignal>

#include "catch.hpp"

using namespace poslab;

TEST_CASE("a program gets its arguments as they are and its input; its output comes back") {
  const std::string awkward = "it's $HOME \"x\"\n*";
  const process::Ended ended =
      process::run_program({"sh", "-c", "printf '%s|' \"$@\"; cat; echo oh >&2; exit 7", "sh", awkward, ""}, "input\n");
  CHECK(ended.how == process::End::exited);
  CHECK(ended.code == 7);
  CHECK(ended.output == awkward + "||input\n");
  CHECK(ended.complaint == "oh\n");
}

TEST_CASE("more than a pipe holds crosses in both directions") {
  const std::string much(1 << 20, 'x');
  const process::Ended ended = process::run_program({"sh", "-c", "cat; cat /dev/null >&2"}, much);
  CHECK(ended.output == much);
}

TEST_CASE("a program that is killed, and one that does not exist") {
  const process::Ended ended = process::run_program({"sh", "-c", "kill -TERM $$"}, "");
  CHECK(ended.how == process::End::killed);
  CHECK(ended.code == SIGTERM);
  try {
    process::run_program({"poslab-no-such-program"}, "");
    FAIL("it was run");
  } catch (const process::NoProgram& problem) {
    CHECK(problem.program == "poslab-no-such-program");
    CHECK(problem.reason == ENOENT);
  }
}
