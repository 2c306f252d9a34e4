// SPDX-License-Identifier: Apache-2.0
// A document of facts: its text and its JSON.
#include "commands/document.hpp"

#include "catch.hpp"

using namespace poslab;

TEST_CASE("a document: lines below a title are indented, and a heading needs a line below it") {
  app::Document document("a.npz");
  document.heading("nothing");
  document.add("empty", std::vector<app::Fact>());
  document.heading("some");
  document.add("facts",
               std::vector<app::Fact>{{"twice", {{"amount", 2}}, "applied 2 times"}, {"", {{"key", "k"}}, "k"}});
  document.add("silent", 3);
  CHECK(document.text() == "a.npz\n\nsome\n  applied 2 times\n  k\n");
  CHECK(document.json().dump() ==
        R"({"empty":[],"facts":[{"id":"twice","amount":2,"sentence":"applied 2 times"},{"key":"k"}],"silent":3})");
}

TEST_CASE("a document without a title: lines as they are, and no blank line before its first heading") {
  app::Document document;
  document.heading("first");
  document.add("", {{"a", 1}}, {"  one"});
  document.heading("second");
  document.add("b", 2, {"two"});
  CHECK(document.text() == "first\n  one\n\nsecond\ntwo\n");
  CHECK(document.json().dump() == R"({"a":1,"b":2})");
}

TEST_CASE("a document that grows: its text in pieces is its text") {
  app::Document document("title");
  CHECK(document.new_text() == "title\n");
  document.append("list", 1, {"one"});
  document.append("list", 2, {"two"});
  CHECK(document.new_text() == "  one\n  two\n");
  CHECK(document.new_text().empty());
}
