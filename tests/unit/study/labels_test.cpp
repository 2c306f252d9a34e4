// SPDX-License-Identifier: Apache-2.0
// What a study calls its schemes.
#include "catch.hpp"
#include "fake_catalogue.hpp"

using namespace poslab;

namespace {

const std::string plain =
    "format = 1\ntitle = 't'\n[[scheme]]\nuse = 'rope'\nset = { style = 'half-split' }\n"
    "[[scheme]]\nuse = 'rope'\nset = { base = 500 }\n[[experiment]]\nuse = 'uniqueness'\n";

// With this label for the second of the two.
std::string labelled(const std::string& label) {
  std::string text = plain;
  return text.insert(text.find("set = { base"), "label = " + label + "\n");
}

std::vector<std::string> labels(const std::string& text) {
  std::vector<std::string> all;
  for (const data::Cell& cell : fake::plan(text).cells) all.push_back(cell.variant.label);
  return all;
}

}  // namespace

TEST_CASE("labels: a study's own stands in place of the scheme and of what is set") {
  CHECK(labels(plain) ==
        std::vector<std::string>{"rope(base=10000.0, style=half-split)", "rope(base=500.0, style=interleaved)"});
  CHECK(labels(labelled("'mine'")) == std::vector<std::string>{"rope(base=10000.0, style=half-split)", "mine"});
}

TEST_CASE("labels: what varies under one is told beside it") {
  std::string text = labelled("'mine'");
  text.replace(text.find("set = { base = 500 }"), 20, "set = { style = 'half-split' }\naxes = { base = [3, 4] }");
  CHECK(labels(text) ==
        std::vector<std::string>{"rope(base=10000.0, style=half-split)", "mine(base=3.0)", "mine(base=4.0)"});
}

TEST_CASE("labels: on other positions no more than the label is needed") {
  const std::string text =
      "format = 1\ntitle = 't'\n[[scheme]]\nuse = 'rope'\n[[scheme]]\nuse = 'rope'\nlabel = 'far'\n"
      "positions = { policy = 'shifted', by = 9 }\n[[experiment]]\nuse = 'uniqueness'\n";
  const std::vector<std::string> all = labels(text);
  CHECK_THAT(all.front(), check::starts_with("rope at "));
  CHECK(all.back() == "far");
}

TEST_CASE("labels: no cell is another one for its label, and the study keeps it") {
  const study::Plan before = fake::plan(plain), after = fake::plan(labelled("'mine'"));
  REQUIRE(before.cells.size() == after.cells.size());
  for (std::size_t i = 0; i < before.cells.size(); ++i) CHECK(before.cells[i].id == after.cells[i].id);
  const study::Study study = fake::parse(labelled("\"it's \\\"mine\\\"\""));
  CHECK(fake::parse(study.resolved()).schemes.back().label == "it's \"mine\"");
  CHECK(study.hash() != fake::parse(plain).hash());
}

TEST_CASE("labels: every one is its own, and none is the name of another scheme") {
  const auto says = [](const std::string& label) { return fake::mistakes(labelled(label)); };
  CHECK_THAT(says("'none'"), check::starts_with("study.toml:8:9: ") && check::contains("another scheme than rope"));
  CHECK_THAT(says("'rope(base=10000.0, style=half-split)'"),
             check::starts_with("study.toml:6:1: ") && check::contains("the [[scheme]] in line 3"));
  CHECK(says("'rope'") == "");  // of a scheme its own name is no lie
  CHECK_THAT(says("''"), check::contains("\"label\" is empty"));
  CHECK_THAT(says("'a\tb'"), check::contains("a label is one line"));
  CHECK_THAT(says("3"), check::contains("\"label\" is an integer"));
  CHECK_THAT(says("'" + std::string(41, 'x') + "'"), check::contains("41 bytes") && check::contains("at most 40"));
  CHECK(says("'" + std::string(40, 'x') + "'") == "");
  std::string twice = labelled("'mine'");
  twice.insert(twice.find("set = { style"), "label = 'mine'\n");
  CHECK_THAT(fake::mistakes(twice), check::contains("\"mine\" is also what the [[scheme]] in line 3 is called"));
}
