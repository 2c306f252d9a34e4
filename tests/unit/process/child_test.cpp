// SPDX-License-Identifier: Apache-2.0
// Children that are this test program, started again: how they end and what they write. `behave` is what they do.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/process/child.hpp"

namespace {

using poslab::process::End;
using poslab::process::Ended;
using poslab::process::run_self;

Ended child(const std::string& behaviour, double time_limit = 20) {
  return run_self({"--as-child", behaviour}, time_limit);
}

void put(int descriptor, const std::string& text) {
  if (write(descriptor, text.data(), text.size()) < 0) _exit(99);
}

[[noreturn]] void behave(const std::string& behaviour) {
  if (behaviour == "answers") {
    poslab::process::answer("an answer");
    put(1, "some output");
    put(2, "a complaint");
    _exit(7);
  }
  if (behaviour == "dies") std::raise(SIGABRT);
  if (behaviour == "hangs")
    for (;;) pause();
  if (behaviour == "writes without end")
    for (;;) put(2, std::string(4096, 'x'));
  if (behaviour == "reads") {
    char byte = 0;
    put(3, read(0, &byte, 1) == 0 ? "nothing" : "something");
  }
  if (behaviour == "writes much")
    for (int line = 0; line < 20000; ++line) put(3, "line " + std::to_string(line) + "\n");
  if (behaviour == "leaves a grandchild") {
    put(3, "gone");
    if (fork() == 0)
      for (;;) pause();
  }
  _exit(0);
}

// Before main: with these arguments the test program is the child and not the test.
const bool is_child = [] {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string word; std::getline(file, word, '\0');) arguments.push_back(word);
  if (arguments.size() == 3 && arguments[1] == "--as-child") behave(arguments[2]);
  return false;
}();

}  // namespace

TEST_CASE("a child's exit code and all that it writes come back") {
  const Ended ended = child("answers");
  CHECK(ended.how == End::exited);
  CHECK(ended.code == 7);
  CHECK(ended.answer == "an answer");
  CHECK(ended.output == "some output");
  CHECK(ended.complaint == "a complaint");
}

TEST_CASE("a child that dies of a signal") {
  const Ended ended = child("dies");
  CHECK(ended.how == End::killed);
  CHECK(ended.code == SIGABRT);
  CHECK(poslab::process::signal_text(SIGSEGV) == "SIGSEGV (segmentation fault)");
  CHECK(poslab::process::signal_text(12345) == "signal 12345");
}

TEST_CASE("a child that does not come back is killed, also while it writes without end") {
  for (const char* behaviour : {"hangs", "writes without end"}) {
    const Ended ended = child(behaviour, 0.2);
    CHECK(ended.how == End::timed_out);
    CHECK(ended.seconds >= 0.2);
    CHECK(ended.complaint.size() <= 64 << 10);
  }
}

TEST_CASE("a child finds its input empty") { CHECK(child("reads").answer == "nothing"); }

TEST_CASE("of a long answer the end is kept") {
  const std::string answer = child("writes much").answer;
  CHECK(answer.size() <= 64 << 10);
  CHECK(answer.substr(answer.size() - 11) == "line 19999\n");
}

TEST_CASE("a grandchild that holds the pipes open does not keep us waiting") {
  const Ended ended = child("leaves a grandchild");
  CHECK(ended.how == End::exited);
  CHECK(ended.answer == "gone");
}

TEST_CASE("that no process can be started has its reason as a member") {
  const poslab::process::NoProcess problem("Resource temporarily unavailable");
  CHECK(problem.why == "Resource temporarily unavailable");
  CHECK_THAT(problem.what(), check::starts_with("no child process can be started: Resource temporarily unavailable;"));
}
