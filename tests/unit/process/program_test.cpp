// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"

using namespace poslab;

TEST_CASE("a program gets its arguments as they are and its input, its output comes back") {
  const std::string awkward = "it's $HOME \"x\"\n*";
  const process::Ended ended = process::run_program(
      {"sh", "-c", "printf '%s|' \"$@\"; cat; echo oh >&2; exit 7", "sh", awkward, ""}, "input\n", 60);
  CHECK(ended.how == process::End::exited);
  CHECK(ended.code == 7);
  CHECK(ended.output == awkward + "||input\n");
  CHECK(ended.error_output == "oh\n");
}

TEST_CASE("a program is given variables, in place of ours of the same names, ours stay") {
  REQUIRE(::setenv("POSLAB_TEST_REPLACED", "ours", 1) == 0);
  REQUIRE(::setenv("POSLAB_TEST_REPLACED_NOT", "ours", 1) == 0);
  const process::Ended ended = process::run_program({"sh", "-c", "env | grep ^POSLAB_TEST_ | sort"}, "", 60,
                                                    {"POSLAB_TEST_REPLACED=its", "POSLAB_TEST_NEW=a=b"});
  CHECK(ended.output == "POSLAB_TEST_NEW=a=b\nPOSLAB_TEST_REPLACED=its\nPOSLAB_TEST_REPLACED_NOT=ours\n");
  CHECK(std::string(std::getenv("POSLAB_TEST_REPLACED")) == "ours");
  CHECK(std::getenv("POSLAB_TEST_NEW") == nullptr);
  ::unsetenv("POSLAB_TEST_REPLACED");
  ::unsetenv("POSLAB_TEST_REPLACED_NOT");
}

TEST_CASE("more than a pipe holds crosses in both directions") {
  const std::string much(1 << 20, 'x');
  const process::Ended ended = process::run_program({"sh", "-c", "cat; cat /dev/null >&2"}, much, 60);
  CHECK(ended.output == much);
}

TEST_CASE("a program that is killed, and one that does not exist") {
  const process::Ended ended = process::run_program({"sh", "-c", "kill -TERM $$"}, "", 60);
  CHECK(ended.how == process::End::killed);
  CHECK(ended.code == SIGTERM);
  try {
    process::run_program({"poslab-no-such-program"}, "", 60);
    FAIL("it was run");
  } catch (const process::NoProgram& problem) {
    CHECK(problem.program == "poslab-no-such-program");
    CHECK(problem.reason == ENOENT);
  }
}

TEST_CASE("a program is looked for in the folders of PATH, and an empty entry of it is none") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("poslab-path-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::filesystem::path program = folder / "poslab-test-program", before = std::filesystem::current_path();
  std::ofstream(program) << "#!/bin/sh\necho $0\n";
  const std::string path = std::getenv("PATH");
  const auto output_with = [&](const std::string& list) -> std::string {
    ::setenv("PATH", list.c_str(), 1);
    try {
      return process::run_program({program.filename()}, "", 60).output;
    } catch (const process::NoProgram& problem) {
      return std::to_string(problem.reason);
    }
  };
  std::filesystem::current_path(folder);
  CHECK(output_with(path + ":" + folder.string()) == std::to_string(EACCES));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  CHECK(output_with(path + ":" + folder.string()) == program.string() + "\n");
  for (const std::string& list : std::vector<std::string>{":" + path, path + ":", ":", ""})
    CHECK(output_with(list) == std::to_string(ENOENT));
  ::setenv("PATH", path.c_str(), 1);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a program that does not come back is killed, what it has left in the background lives on") {
  CHECK(process::run_program({"sh", "-c", "exec sleep 60"}, "", 0.2).how == process::End::timed_out);
  const process::Ended ended = process::run_program({"sh", "-c", "sleep 60 >&2 & echo $!"}, "", 60);
  const pid_t left = std::stoi(ended.output);
  CHECK(kill(left, 0) == 0);
  kill(left, SIGKILL);
}
