// SPDX-License-Identifier: Apache-2.0
// The workers are this test program, started again: `behave` is what they do.
#include "poslab/process/worker_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "catch.hpp"

using poslab::process::connection_descriptor;
using poslab::process::End;
using poslab::process::Ended;
using poslab::process::framed;
using poslab::process::FrameReader;
using poslab::process::Message;
using poslab::process::WorkerProcess;

namespace {

void put(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(connection_descriptor, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) _exit(99);
    sent += static_cast<std::size_t>(count);
  }
}

// Answers every message with its own body, and misbehaves as it says.
[[noreturn]] void behave() {
  FrameReader frames;
  std::string bytes(1 << 16, '\0');
  for (;;) {
    const ssize_t count = read(connection_descriptor, bytes.data(), bytes.size());
    if (count <= 0) _exit(0);
    frames.add({bytes.data(), static_cast<std::size_t>(count)});
    while (const auto message = frames.next()) {
      const std::string& behaviour = message->body;
      if (behaviour == "die") std::raise(SIGSEGV);
      if (behaviour == "exit") _exit(3);
      if (behaviour == "send garbage") put("something else");
      if (behaviour == "stay") signal(SIGTERM, SIG_IGN);
      if (behaviour == "close the connection") close(connection_descriptor);
      if (behaviour == "close the connection" || behaviour == "sleep")
        for (;;) pause();
      if (behaviour == "leave a child and die") {
        if (fork() == 0)
          for (;;) pause();
        std::raise(SIGKILL);
      }
      if (behaviour == "print") {
        const std::string much(1 << 20, 'x');
        for (int i = 0; i < 8; ++i)
          if (write(STDERR_FILENO, much.data(), much.size()) < 0) _exit(98);
      }
      put(framed(message->kind, behaviour));
    }
  }
}

// Before main: with this argument the test program is a worker.
const struct Start {
  Start() {
    std::ifstream arguments("/proc/self/cmdline");
    for (std::string word; std::getline(arguments, word, '\0');)
      if (word == "--as-worker") behave();
  }
} start_as_worker;

// The messages until there are `count`, or the worker is gone.
std::vector<Message> receive(WorkerProcess& worker, std::size_t count) {
  std::vector<Message> all;
  const auto start = std::chrono::steady_clock::now();
  while (all.size() < count && !worker.is_gone() && std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
    for (Message& message : worker.receive(100)) all.push_back(std::move(message));
  return all;
}

Ended after(const std::string& behaviour) {
  WorkerProcess worker({"--as-worker"});
  worker.send('m', behaviour);
  CHECK(receive(worker, 1).empty());
  REQUIRE(worker.is_gone());
  return worker.reap();
}

}  // namespace

TEST_CASE("a worker answers, also large messages that neither side can send at once") {
  WorkerProcess worker({"--as-worker"});
  const std::string large(20 << 20, 'y');
  worker.send('a', "first");
  worker.send('b', large);
  worker.send('c', "last");
  const std::vector<Message> answers = receive(worker, 3);
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].body == "first");
  CHECK(answers[1].body == large);
  CHECK(answers[2].kind == 'c');
}

TEST_CASE("how a worker ended is reported") {
  const Ended died = after("die");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which end the process in their own way
  CHECK(died.how == End::killed);
  CHECK(died.code == SIGSEGV);
#endif
  const Ended exited = after("exit");
  CHECK(exited.how == End::exited);
  CHECK(exited.code == 3);
}

TEST_CASE("a worker that sends garbage is not read any further") {
  WorkerProcess worker({"--as-worker"});
  worker.send('m', "send garbage");
  receive(worker, 1);
  CHECK(worker.is_gone());
  CHECK(worker.broke_protocol());
  worker.reap();
  CHECK(worker.was_killed_by_us());
}

TEST_CASE("a worker that closes its connection and lives on is killed") {
  WorkerProcess worker({"--as-worker"});
  worker.send('m', "close the connection");
  receive(worker, 1);
  REQUIRE(worker.is_gone());
  CHECK(worker.reap().how == End::killed);
  CHECK(worker.was_killed_by_us());
}

TEST_CASE("a worker's death is noticed though its child keeps the connection open") {
  const Ended ended = after("leave a child and die");
  CHECK(ended.how == End::killed);
  CHECK(ended.code == SIGKILL);
}

TEST_CASE("what a worker prints is drained, and its end is kept") {
  WorkerProcess worker({"--as-worker"});
  worker.send('m', "print");
  REQUIRE(receive(worker, 1).size() == 1);
  CHECK(worker.reap(true).error_output.size() <= (64 << 10));
  CHECK(worker.reap().how == End::timed_out);
  CHECK(!worker.reap().error_output.empty());
}

TEST_CASE("a worker exits when its connection is closed, and one that does not read is killed") {
  pid_t reading = 0, sleeping = 0;
  {
    WorkerProcess first({"--as-worker"}), second({"--as-worker"});
    second.send('m', "sleep");
    first.send('m', "hello");
    REQUIRE(receive(first, 1).size() == 1);
    reading = first.id(), sleeping = second.id();
  }
  CHECK(kill(reading, 0) != 0);
  CHECK(kill(sleeping, 0) != 0);
}
