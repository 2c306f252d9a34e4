// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/server_process.hpp"

#include <unistd.h>

#include <cstdlib>

#include "catch.hpp"

using namespace poslab;

namespace {

iovec part(std::string& bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

TEST_CASE("a server answers what it is asked, and what does not fit into a pipe crosses in pieces") {
  process::ServerProcess server(
      {"sh", "-c",
       "for i in 1 2 3; do head -c 3000000 | tail -c 1 | tr a-y b-z >&3; head -c 3000000 /dev/zero >&3; done"},
      {});
  for (const char letter : {'a', 'b', 'c'}) {
    std::string one(1000000, '.'), other(2000000, letter), first = ".", front(100, '.'), back(2999900, '.');
    REQUIRE(server.send({part(one), {nullptr, 0}, part(other)}));
    REQUIRE(server.receive({part(first), {nullptr, 0}, part(front), part(back)}));
    CHECK(first == std::string(1, static_cast<char>(letter + 1)));
    CHECK(front == std::string(front.size(), '\0'));
    CHECK(back == std::string(back.size(), '\0'));
  }
  CHECK(server.end().how == "ended with exit code 0");
  CHECK(server.end().how == "ended with exit code 0");
}

TEST_CASE("a server that has died is gone, and says how") {
  process::ServerProcess server({"sh", "-c", "head -c 1 >&3; exit 7"}, {});
  std::string byte = "x", answer(2, '.');
  REQUIRE(server.send({part(byte)}));
  CHECK_FALSE(server.receive({part(answer)}));
  CHECK(server.end().how == "ended with exit code 7");
  CHECK_FALSE(server.send({part(byte)}));  // and no SIGPIPE
  process::ServerProcess killed({"sh", "-c", "kill -SEGV $$"}, {});
  CHECK_FALSE(killed.receive({part(answer)}));
  CHECK(killed.end().how == "was ended by SIGSEGV (segmentation fault)");
}

TEST_CASE("a server that has died with a request half read is gone") {
  process::ServerProcess server({"sh", "-c", "head -c 1 >&3; exit 7"}, {});
  std::string large(5000000, 'x'), byte = ".";
  CHECK_FALSE(server.send({part(large)}));
  CHECK(server.receive({part(byte)}));
  CHECK_FALSE(server.receive({part(byte)}));
  CHECK(server.end().how == "ended with exit code 7");
}

TEST_CASE("answers that come soon and answers that come late are the same bytes") {
  process::ServerProcess server({"sh", "-c", "while read line; do $line; echo $line >&3; done"}, {});
  for (std::string request : {"true\n", "true\n", "sleep 0.01\n", "true\n", "sleep 0.01\n", "true\n", "true\n"}) {
    std::string answer(request.size(), '.');
    REQUIRE(server.send({part(request)}));
    REQUIRE(server.receive({part(answer)}));
    CHECK(answer == request);
  }
}

TEST_CASE("a server that does not end when its connection closes is killed") {
  process::ServerProcess server({"sleep", "1000"}, {});
  CHECK(server.end().how == "did not end when its connection was closed, and was killed");
}

TEST_CASE("a server that somebody else has killed is told from one that has died, and from one that we have killed") {
  std::string byte = ".";
  for (const std::string number : {"9", "15"}) {
    process::ServerProcess killed({"sh", "-c", "kill -" + number + " $$"}, {});
    CHECK_FALSE(killed.receive({part(byte)}));
    const process::ServerEnd end = killed.end();
    CHECK(end.by_another);
    CHECK(end.how.starts_with("was killed by signal " + number + ", which poslab did not send; "));
    CHECK(killed.end().by_another);
  }
  for (const char* death : {"kill -SEGV $$", "kill -ABRT $$", "exit 3", "exec sleep 1000"}) {
    process::ServerProcess died({"sh", "-c", death}, {});
    CHECK_FALSE(died.end().by_another);
  }
}

TEST_CASE("a server has our environment, with some variables of its own, and none of our files") {
  ::setenv("POSLAB_TEST_OURS", "ours", 1);
  ::setenv("POSLAB_TEST_ITS", "ours", 1);
  const int kept_open = dup2(STDERR_FILENO, 100);  // for a child to inherit
  process::ServerProcess server({"sh", "-c",
                                 "printf '%s %s %s' $POSLAB_TEST_OURS $POSLAB_TEST_ITS "
                                 "$(test -e /proc/$$/fd/100; echo $?) >&3"},
                                {"POSLAB_TEST_ITS=its"});
  std::string answer(10, '.');
  REQUIRE(server.receive({part(answer)}));
  CHECK(answer == "ours its 1");
  close(kept_open);
}

TEST_CASE("a server that does not exist is named") {
  CHECK_THROWS_AS(process::ServerProcess({"poslab-no-such-program"}, {}), process::NoProgram);
}
