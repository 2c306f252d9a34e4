// SPDX-License-Identifier: Apache-2.0
// [model] positions: what a study may say, what it may not, and what becomes of it.
#include "catch.hpp"
#include "fake_catalogue.hpp"

using namespace poslab;
using Policy = data::Placement::Policy;

namespace {

// The right study with these positions; they stand in line 6, from column 13 on.
std::string study_at(const std::string& positions, const std::string& more = "") {
  std::string study = fake::study_with(more);
  return study.insert(study.find("[[scheme]]"), "positions = " + positions + "\n");
}

std::string mistakes_at(const std::string& positions, const std::string& more = "") {
  return fake::mistakes(study_at(positions, more));
}

data::Placement placement(const std::string& positions) { return fake::parse(study_at(positions)).placement; }

}  // namespace

TEST_CASE("positions of every policy are read") {
  CHECK(placement("{ policy = 'plain' }").is_plain());
  CHECK(placement("{ policy = 'shifted', by = 500 }").by == 500);
  CHECK(placement("{ policy = 'randomised', range = 2048 }").range == 2048);
  CHECK(placement("{ grid = [16, 8] }").extents == std::vector<std::int64_t>{16, 8});
  CHECK(placement("{ grid = [2, 16, 8] }").count() == 256);
  CHECK(placement("{ at = [-1, 0, 0.7, 1.9] }").values == std::vector<double>{-1, 0, 0.7, 1.9});
}

TEST_CASE("wrong positions are reported at their location, with what would be right") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"'plain'",
       "13: \"positions\" is a text, but must be a table: { policy = \"plain\" }, { policy = \"shifted\", by = "
       "500 }, { policy = \"randomised\", range = 2048 }, { grid = [16, 16] } or { at = [0, 0.7, 1.9] }"},
      {"{}",
       "13: positions needs policy, grid or at: write { policy = \"plain\" }, { policy = \"shifted\", by = 500 }, { "
       "policy = \"randomised\", range = 2048 }, { grid = [16, 16] } or { at = [0, 0.7, 1.9] }"},
      {"{ polcy = 'plain' }", "15: unknown key \"polcy\" in positions; did you mean \"policy\"?"},
      {"{ policy = 'shited', by = 3 }",
       "24: \"policy\" is \"shited\", but must be one of plain, shifted and randomised; did you mean \"shifted\"?"},
      {"{ policy = 'shifted' }", "13: policy = \"shifted\" needs \"by\""},
      {"{ policy = 'randomised' }", "13: policy = \"randomised\" needs \"range\""},
      {"{ policy = 'shifted', by = -1 }", "40: \"by\" is -1, but must be from 0 to 1048576"},
      {"{ policy = 'randomised', range = 0 }", "46: \"range\" is 0, but must be from 1 to 1048576"},
      {"{ policy = 'plain', by = 3 }", "38: \"by\" belongs to policy = \"shifted\""},
      {"{ grid = [4, 4], range = 3 }", "38: \"range\" belongs to policy = \"randomised\""},
      {"{ grid = [4, 4], at = [1] }", "13: positions takes one of policy, grid and at, not several"},
      {"{ grid = [4] }", "22: \"grid\" must be a list of 2 or 3 extents: rows and columns, or frames, rows, columns"},
      {"{ grid = 4 }", "22: \"grid\" must be a list of 2 or 3 extents: rows and columns, or frames, rows, columns"},
      {"{ grid = [4, 0] }", "26: \"grid\" is 0, but must be from 1 to 1048576"},
      {"{ grid = [4, 2.0] }", "26: \"grid\" is 2.0, but must be an integer; write 2"},
      {"{ grid = [4096, 4096] }", "22: \"grid\" has 16777216 cells, but at most 1048576 are taken"},
      {"{ at = [] }", "20: \"at\" is an empty list"},
      {"{ at = [0, 2, 1] }", "27: \"at\" must rise, but 1 comes after 2"},
      {"{ at = [0, 0] }", "24: \"at\" must rise, but 0 comes after 0"},
      {"{ at = [0, 1e300] }",
       "20: entry 2 of \"at\" is 1e+300, but must be from -9007199254740992 to 9007199254740992"},
      {"{ at = ['now'] }", "20: \"at\" is a list, but must be a list of numbers"},
  };
  for (const auto& [positions, expected] : cases) {
    INFO(positions);
    CHECK(mistakes_at(positions) == "study.toml:6:" + expected);
  }
}

TEST_CASE("one scheme may have other positions than the others, and several") {
  const std::string text =
      "format = 1\ntitle = 't'\n[[scheme]]\nuse = 'rope'\n[[scheme]]\nuse = 'rope'\npositions = { grid = [4, 8] }\n"
      "[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\naxes = { length = [32, 64] }\n";
  const study::Plan plan = fake::plan(text);
  REQUIRE(plan.cells.size() == 6);
  CHECK(plan.cells[0].variant.label == "rope at { policy = \"plain\" }");
  CHECK(plan.cells[2].variant.label == "rope at { grid = [4, 8] }");
  CHECK(plan.cells[4].variant.label == "none");
  CHECK(plan.cells[2].placement.is_grid());
  CHECK(!plan.cells[2].skip);
  CHECK_THAT(plan.cells[3].skip.value().reason,
             check::contains("{ grid = [4, 8] } are 32 positions; give \"length\" the value 32, too"));
  CHECK(plan.cells[0].placement.is_plain());
  CHECK(plan.cells[0].id != plan.cells[2].id);
  const study::Study study = fake::parse(text);
  CHECK(fake::parse(study.resolved()).hash() == study.hash());
  CHECK_THAT(fake::mistakes("format = 1\ntitle = 't'\n[[scheme]]\nuse = 'rope'\npositions = { gird = [4, 8] }\n"),
             check::contains("study.toml:5:") && check::contains("grid"));
}

TEST_CASE("all mistakes about positions are told at once") {
  CHECK(mistakes_at("{ grid = [0, 4, -1], by = 2, bogus = 1 }") ==
        "study.toml:6:23: \"grid\" is 0, but must be from 1 to 1048576\n"
        "study.toml:6:29: \"grid\" is -1, but must be from 1 to 1048576\n"
        "study.toml:6:39: \"by\" belongs to policy = \"shifted\"\n"
        "study.toml:6:42: unknown key \"bogus\" in positions; its keys are policy, by, range, grid and at");
}

TEST_CASE("a grid says how long the sequence is") {
  const std::string asks_for_another = mistakes_at("{ grid = [16, 8] }", "axes = { length = [128, 64] }\n");
  CHECK(
      asks_for_another ==
      "study.toml:11:10: \"length\" is 64, but positions = { grid = [16, 8] } are 128 positions; leave \"length\" out");
  CHECK(mistakes_at("{ grid = [16, 8] }", "axes = { length = 128 }\n") == "");
  CHECK(mistakes_at("{ at = [0, 1.5] }", "[[experiment.zip]]\nlength = [2, 3]\nheads = [1, 2]\n") ==
        "study.toml:12:1: \"length\" is 3, but positions = { at = [0.0, 1.5] } are 2 positions; leave \"length\" out");
  const study::Plan plan = fake::plan(study_at("{ grid = [4, 8] }"));
  for (const data::Cell& cell : plan.cells) CHECK(cell.axes.integer("length") == 32);
  CHECK_THROWS_WITH(fake::parse(study_at("{ grid = [4, 8] }"), {{{"length", "32,64"}}, {}}),
                    check::contains("--axis: \"length\" is 64, but positions = { grid = [4, 8] } are 32 positions"));
}

TEST_CASE("a resolved study keeps its positions, and plain ones need no word") {
  const std::string plain = fake::study_with("");
  CHECK(fake::parse(study_at("{ policy = 'plain' }")).hash() == fake::parse(plain).hash());
  for (const char* positions : {"{ policy = 'shifted', by = 7 }", "{ policy = 'randomised', range = 999 }",
                                "{ grid = [2, 3, 4] }", "{ at = [-0.1, 1e-7, 12345678.9] }"}) {
    INFO(positions);
    const study::Study study = fake::parse(study_at(positions));
    CHECK(study.hash() != fake::parse(plain).hash());
    const study::Study again = fake::parse(study.resolved());
    CHECK(again.placement == study.placement);
    CHECK(again.hash() == study.hash());
  }
}

TEST_CASE("cells carry the positions, and drawn ones are drawn ten times") {
  const study::Plan plain = fake::plan(fake::study_with("")), grid = fake::plan(study_at("{ grid = [16, 8] }")),
                    drawn = fake::plan(study_at("{ policy = 'randomised', range = 256 }"));
  REQUIRE(plain.cells.size() == 1);
  REQUIRE(grid.cells.size() == 1);
  CHECK(drawn.cells.size() == 10);
  CHECK(grid.cells[0].placement.is_grid());
  CHECK(plain.cells[0].axes == grid.cells[0].axes);
  CHECK(plain.cells[0].id != grid.cells[0].id);
}

TEST_CASE("an expectation may name row and column on a grid, and only there") {
  const std::string expect =
      "[[expect]]\nexperiment = 'uniqueness'\nmeasure = 'nearest_distance'\nvalue = 1\ntolerance = 0\n"
      "where = { position_row = 3, position_colunm = 2 }\n";
  CHECK(
      mistakes_at("{ grid = [16, 8] }", expect) ==
      "study.toml:16:29: \"position_colunm\" is neither an axis of uniqueness nor a dimension of nearest_distance; did "
      "you mean \"position_column\"?");
  CHECK(mistakes_at("{ policy = 'plain' }", expect).find("\"position_row\" is neither an axis") != std::string::npos);
  const std::string right = std::string(expect).replace(expect.find("colunm"), 6, "column");
  CHECK(mistakes_at("{ grid = [16, 8] }", right) == "");
}
