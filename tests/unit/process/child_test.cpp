// SPDX-License-Identifier: Apache-2.0
// Children that are this test program, started again: how they end and what they write. `behave` is what they do.
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "poslab/process/child.hpp"
#include "poslab/process/worker_process.hpp"

namespace {

using poslab::process::End;
using poslab::process::Ended;
using poslab::process::run_self;
using poslab::process::run_self_in_pieces;

Ended child(const std::string& behaviour, double time_limit = 20) {
  return run_self({"--as-child", behaviour}, time_limit);
}

void put(int descriptor, const std::string& text) {
  if (write(descriptor, text.data(), text.size()) < 0) _exit(99);
}

void pause_for_ever() {
  for (;;) pause();
}

// A process in a session of its own, whose number is the answer.
void detach() {
  if (fork() != 0) return pause_for_ever();
  setsid();
  if (fork() != 0) _exit(0);
  put(3, std::to_string(getpid()));
  pause_for_ever();
}

void do_pieces(int count, int milliseconds) {
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    const std::string number = std::to_string(i);
    put(3, "answer " + number);
    std::printf("output %d", i);  // which is in the C library's memory still
    put(2, "complaint " + number);
    poslab::process::end_piece();
  }
}

void flee(const std::string& behaviour) {
  const auto be_traced = [] { ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); };
  if (behaviour == "stops") std::raise(SIGSTOP);
  if (behaviour == "is traced and stops") be_traced(), std::raise(SIGSTOP);
  if (behaviour == "is traced and hangs") be_traced(), pause_for_ever();
  if (behaviour == "has a thread that is traced") {
    std::thread([&] { be_traced(), pause_for_ever(); }).detach();
    pause_for_ever();
  }
  if (behaviour == "joins our group") setpgid(0, getpgid(getppid())), pause_for_ever();
  if (behaviour == "detaches") detach();
  if (behaviour == "bears a sibling" && syscall(SYS_clone, CLONE_PARENT, nullptr, nullptr, nullptr, nullptr) == 0) {
    put(3, std::to_string(getpid()));
    pause_for_ever();
  }
  if (behaviour == "bears a sibling") pause_for_ever();
}

[[noreturn]] void behave(const std::string& behaviour) {
  if (behaviour == "answers") {
    poslab::process::answer("an answer");
    put(1, "some output");
    put(2, "a complaint");
    _exit(7);
  }
  if (behaviour == "dies") std::raise(SIGABRT);
  if (behaviour == "does three pieces and hangs") {
    do_pieces(3, 700);
    put(3, "a fourth");
    pause_for_ever();
  }
  if (behaviour == "does two pieces and dies") {
    do_pieces(2, 0);
    put(3, "a third");
    std::raise(SIGABRT);
  }
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
  flee(behaviour);
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
  CHECK(ended.error_output == "a complaint");
}

TEST_CASE("what a child writes is told piece by piece, each of which has its own time") {
  std::vector<Ended> pieces;
  const auto keep = [&](const Ended& piece) { pieces.push_back(piece); };
  // Three pieces of 0.7 s, then one that does not end.
  const Ended ended = run_self_in_pieces({"--as-child", "does three pieces and hangs"}, 2, keep);
  CHECK(ended.how == End::timed_out);
  CHECK(ended.answer == "a fourth");
  CHECK(ended.output.empty());
  CHECK(ended.seconds < 10);
  REQUIRE(pieces.size() == 3);
  for (const std::size_t i : {0U, 1U, 2U}) {
    CHECK(pieces[i].how == End::exited);
    CHECK(pieces[i].answer == "answer " + std::to_string(i));
    CHECK(pieces[i].output == "output " + std::to_string(i));
    CHECK(pieces[i].error_output == "complaint " + std::to_string(i));
  }
  // All that it wrote is there when it is first looked at.
  pieces.clear();
  const Ended died = run_self_in_pieces({"--as-child", "does two pieces and dies"}, 20, keep);
  CHECK(died.how == End::killed);
  CHECK(died.code == SIGABRT);
  CHECK(died.answer == "a third");
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[1].answer == "answer 1");
  CHECK(pieces[1].output == "output 1");
  const auto fail = [](const Ended&) { throw std::runtime_error("enough"); };
  CHECK_THROWS_AS(run_self_in_pieces({"--as-child", "does three pieces and hangs"}, 5, fail), std::runtime_error);
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
    CHECK(ended.error_output.size() <= 64 << 10);
  }
}

TEST_CASE("a child that stops, lets itself be traced or leaves its group is killed when its time is over") {
  for (const char* behaviour :
       {"stops", "is traced and stops", "is traced and hangs", "has a thread that is traced", "joins our group"}) {
    INFO(behaviour);
    const Ended ended = child(behaviour, 0.3);
    CHECK(ended.how == End::timed_out);
    CHECK(ended.left.empty());
  }
}

TEST_CASE("processes that a child has detached are killed with it, and those that are ours live on") {
  const std::unique_ptr<poslab::process::WorkerProcess> ours(
      new poslab::process::WorkerProcess({"--as-child", "hangs"}));
  for (const char* behaviour : {"detaches", "bears a sibling"}) {
    INFO(behaviour);
    const Ended ended = child(behaviour, 0.5);
    CHECK(ended.how == End::timed_out);
    REQUIRE(!ended.answer.empty());
    CHECK(kill(std::stoi(ended.answer), 0) != 0);
    CHECK(kill(ours->id(), 0) == 0);
  }
  CHECK(ours->receive(0).empty());
  CHECK(!ours->is_gone());
}

TEST_CASE("what could not be killed is named") {
  Ended ended;
  CHECK(left_text(ended).empty());
  ended.left = {4711};
  CHECK(left_text(ended) == "; process 4711 has not ended though it was killed, and is left behind");
  ended.left = {4711, 4712};
  CHECK(left_text(ended) == "; processes 4711, 4712 have not ended though they were killed, and are left behind");
}

TEST_CASE("a child in our place has a time limit, and says how it ended") {
  const Ended ended = poslab::process::run_in_place({"--as-child", "is traced and stops"}, 0.3);
  CHECK(ended.how == End::timed_out);
  CHECK(poslab::process::run_in_place({"--as-child", "dies"}, 20).code == SIGABRT);
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
