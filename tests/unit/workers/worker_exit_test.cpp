// SPDX-License-Identifier: Apache-2.0
// How a worker's end is told, and whose doing it was.
#include "worker_exit.hpp"

#include <csignal>

#include "catch.hpp"

using namespace poslab;
using process::End;
using workers::describe;
using workers::was_killed_externally;
using workers::WorkerExit;

namespace {

WorkerExit ended(End how, int code, const std::string& error_text = "") {
  WorkerExit worker_exit;
  worker_exit.ended.how = how;
  worker_exit.ended.code = code;
  worker_exit.ended.error_output = error_text;
  return worker_exit;
}

}  // namespace

TEST_CASE("a worker's end is described by its signal, its exit code, or what it did to the connection") {
  CHECK(describe(ended(End::killed, SIGSEGV)) == "died of SIGSEGV (segmentation fault)");
  CHECK(describe(ended(End::exited, 3)) == "ended its process with exit code 3");
  WorkerExit worker_exit = ended(End::killed, SIGKILL);
  worker_exit.killed_by_us = true;
  CHECK(describe(worker_exit) == "closed the connection between worker and host");
  worker_exit.broke_protocol = true;
  CHECK(describe(worker_exit) == "wrote into the connection between worker and host");
}

TEST_CASE("the description of a worker's end quotes the end of its stderr, on one line") {
  CHECK(describe(ended(End::exited, 1, "one\ntwo\t\n\n")) ==
        "ended its process with exit code 1; its last words: one two");
  CHECK(describe(ended(End::exited, 1, "\n\n")) == "ended its process with exit code 1");
  const std::string text = describe(ended(End::exited, 1, std::string(1000, 'a') + std::string(400, 'b')));
  CHECK_THAT(text, check::contains("its last words: " + std::string(400, 'b')));
  CHECK_THAT(text, !check::contains("ab"));
}

TEST_CASE("only signals that people and systems send, and that were not ours, count as kills from outside") {
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    WorkerExit worker_exit = ended(End::killed, signal);
    CHECK(was_killed_externally(worker_exit));
    worker_exit.killed_by_us = true;
    CHECK(!was_killed_externally(worker_exit));
    CHECK(!was_killed_externally(ended(End::exited, signal)));
    CHECK(!was_killed_externally(ended(End::timed_out, signal)));
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGXFSZ})
    CHECK(!was_killed_externally(ended(End::killed, signal)));
}
