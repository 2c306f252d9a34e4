// SPDX-License-Identifier: Apache-2.0
// Messages come out as they went in, however they were cut on the way; bytes that are not a message are an error.
#include "poslab/process/frames.hpp"

#include <vector>

#include "catch.hpp"

using poslab::process::framed;
using poslab::process::FrameReader;
using poslab::process::MalformedFrame;
using poslab::process::Message;

TEST_CASE("messages arrive whole, in order, in pieces of any size") {
  const std::vector<Message> sent{{'a', "one"}, {'b', ""}, {'c', std::string(5000, '\0')}, {'d', "pos"}};
  std::string bytes;
  for (const Message& message : sent) bytes += framed(message.kind, message.body);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{7}, std::size_t{1000}, bytes.size()}) {
    FrameReader frames;
    std::vector<Message> got;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      frames.add(std::string_view(bytes).substr(i, piece));
      while (auto message = frames.next()) got.push_back(*message);
    }
    REQUIRE(got.size() == sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      CHECK(got[i].kind == sent[i].kind);
      CHECK(got[i].body == sent[i].body);
    }
    CHECK(frames.empty());
  }
}

TEST_CASE("bytes that are not a message are an error from the first one on, and so is an impossible size") {
  FrameReader garbage;
  garbage.add(framed('a', "right") + "q");
  CHECK(garbage.next()->body == "right");
  CHECK_THROWS_AS(garbage.next(), MalformedFrame);
  FrameReader huge;
  huge.add(std::string("posx") + std::string(8, '\xff'));
  CHECK_THROWS_AS(huge.next(), MalformedFrame);
  FrameReader incomplete;
  incomplete.add("po");
  CHECK(!incomplete.next());
}
