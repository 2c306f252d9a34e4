// SPDX-License-Identifier: Apache-2.0
// Partners: this very program, started once more, which does what `live` in its constructor says.
#include "poslab/process/partner.hpp"

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
using poslab::process::Frames;
using poslab::process::Message;
using poslab::process::Partner;

namespace {

void put(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(connection_descriptor, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) _exit(99);
    sent += static_cast<std::size_t>(count);
  }
}

// Answers every message with its own body, and does a deed when told its name.
[[noreturn]] void live() {
  Frames frames;
  std::string bytes(1 << 16, '\0');
  for (;;) {
    const ssize_t count = read(connection_descriptor, bytes.data(), bytes.size());
    if (count <= 0) _exit(0);
    frames.add({bytes.data(), static_cast<std::size_t>(count)});
    while (const auto message = frames.next()) {
      const std::string& deed = message->body;
      if (deed == "die") std::raise(SIGSEGV);
      if (deed == "exit") _exit(3);
      if (deed == "babble") put("something else");
      if (deed == "stay") signal(SIGTERM, SIG_IGN);
      if (deed == "hang up") close(connection_descriptor);
      if (deed == "hang up" || deed == "sleep")
        for (;;) pause();
      if (deed == "leave a child and die") {
        if (fork() == 0)
          for (;;) pause();
        std::raise(SIGKILL);
      }
      if (deed == "print") {
        const std::string much(1 << 20, 'x');
        for (int i = 0; i < 8; ++i)
          if (write(STDERR_FILENO, much.data(), much.size()) < 0) _exit(98);
      }
      put(framed(message->kind, deed));
    }
  }
}

const struct Life {
  Life() {
    std::ifstream words("/proc/self/cmdline");
    for (std::string word; std::getline(words, word, '\0');)
      if (word == "--as-partner") live();
  }
} life;

// All that comes until `count` messages came or the partner is gone.
std::vector<Message> hear(Partner& partner, std::size_t count) {
  std::vector<Message> all;
  const auto start = std::chrono::steady_clock::now();
  while (all.size() < count && !partner.is_gone() &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
    for (Message& message : partner.listen(100)) all.push_back(std::move(message));
  return all;
}

Ended after(const std::string& deed) {
  Partner partner({"--as-partner"});
  partner.send('m', deed);
  CHECK(hear(partner, 1).empty());
  REQUIRE(partner.is_gone());
  return partner.end();
}

}  // namespace

TEST_CASE("a partner answers, also large messages that neither side can send at once") {
  Partner partner({"--as-partner"});
  const std::string large(20 << 20, 'y');
  partner.send('a', "first");
  partner.send('b', large);
  partner.send('c', "last");
  const std::vector<Message> answers = hear(partner, 3);
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].body == "first");
  CHECK(answers[1].body == large);
  CHECK(answers[2].kind == 'c');
}

TEST_CASE("how a partner ended is told") {
  const Ended died = after("die");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which end the process in a way of their own
  CHECK(died.how == End::killed);
  CHECK(died.code == SIGSEGV);
#endif
  const Ended exited = after("exit");
  CHECK(exited.how == End::exited);
  CHECK(exited.code == 3);
}

TEST_CASE("a partner that says what is no message is not believed any more") {
  Partner partner({"--as-partner"});
  partner.send('m', "babble");
  hear(partner, 1);
  CHECK(partner.is_gone());
  CHECK(partner.spoke_nonsense());
  partner.end();
  CHECK(partner.was_killed_by_us());
}

TEST_CASE("a partner that hangs up and lives on is killed") {
  Partner partner({"--as-partner"});
  partner.send('m', "hang up");
  hear(partner, 1);
  REQUIRE(partner.is_gone());
  CHECK(partner.end().how == End::killed);
  CHECK(partner.was_killed_by_us());
}

TEST_CASE("a partner's death is noticed though its child keeps the connection open") {
  const Ended ended = after("leave a child and die");
  CHECK(ended.how == End::killed);
  CHECK(ended.code == SIGKILL);
}

TEST_CASE("what a partner prints is drained, and its end is kept") {
  Partner partner({"--as-partner"});
  partner.send('m', "print");
  REQUIRE(hear(partner, 1).size() == 1);
  CHECK(partner.end(true).complaint.size() <= (64 << 10));
  CHECK(partner.end().how == End::timed_out);
  CHECK(!partner.end().complaint.empty());
}

TEST_CASE("a partner ends when it is let go, and one that does not listen is killed") {
  pid_t obedient = 0, deaf = 0;
  {
    Partner first({"--as-partner"}), second({"--as-partner"});
    second.send('m', "sleep");
    first.send('m', "hello");
    REQUIRE(hear(first, 1).size() == 1);
    obedient = first.id(), deaf = second.id();
  }
  CHECK(kill(obedient, 0) != 0);
  CHECK(kill(deaf, 0) != 0);
}
