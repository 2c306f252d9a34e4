// SPDX-License-Identifier: Apache-2.0
// Which cells a study has, in which order, with how many repeats, and which are skipped.
#include <set>

#include "catch.hpp"
#include "fake_catalogue.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"

using namespace poslab;
using Lines = std::vector<std::string>;

namespace {

// A study of these schemes and experiments.
std::string study_text(const std::string& rest) { return "format = 1\ntitle = 't'\n" + rest; }

Lines cells_of(const std::string& rest) { return fake::cells(fake::plan(study_text(rest))); }

}  // namespace

TEST_CASE("what a study leaves out takes its default") {
  REQUIRE(cells_of("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\n") ==
          Lines{"uniqueness none d_model=128 heads=8 length=128 kind=position #0"});
  const study::Plan plan =
      fake::plan(study_text("seed = 5\n[[scheme]]\nuse = 'learned'\nset = { max_length = 9 }\n"
                            "[[experiment]]\nuse = 'uniqueness'\nrepeats = 1"));
  REQUIRE(plan.cells.size() == 1);
  REQUIRE(plan.cells[0].seed == 5);
  const data::Values expected{{"max_length", std::int64_t{9}},
                              {"limit", std::monostate{}},
                              {"offset", std::int64_t{0}},
                              {"style", std::string("rows")}};
  REQUIRE(plan.cells[0].variant.parameters == expected);
  REQUIRE(plan.estimates.size() == 1);
  REQUIRE(plan.estimates[0].bytes == 1);
}

TEST_CASE("axes cross, the one declared first turning slowest, wherever they stand in the file") {
  const Lines expected{"uniqueness none d_model=64 heads=8 length=16 kind=position #0",
                       "uniqueness none d_model=64 heads=8 length=16 kind=offset #0",
                       "uniqueness none d_model=64 heads=8 length=8 kind=position #0",
                       "uniqueness none d_model=64 heads=8 length=8 kind=offset #0",
                       "uniqueness none d_model=32 heads=8 length=16 kind=position #0",
                       "uniqueness none d_model=32 heads=8 length=16 kind=offset #0",
                       "uniqueness none d_model=32 heads=8 length=8 kind=position #0",
                       "uniqueness none d_model=32 heads=8 length=8 kind=offset #0"};
  const std::string head = "[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\n[experiment.axes]\n";
  REQUIRE(cells_of(head + "kind = ['position', 'offset']\nlength = [16, 8]\nd_model = [64, 32]") == expected);
  REQUIRE(cells_of(head + "d_model = [64, 32]\nlength = [16, 8]\nkind = ['position', 'offset']") == expected);
}

TEST_CASE("zips move together and cross with axes") {
  REQUIRE(cells_of("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\naxes = { length = [8, 16] }\n"
                   "[[experiment.zip]]\nkind = ['position', 'offset']\nheads = [2, 4]\nd_model = [32, 64]\n") ==
          Lines{"uniqueness none d_model=32 heads=2 length=8 kind=position #0",
                "uniqueness none d_model=32 heads=2 length=16 kind=position #0",
                "uniqueness none d_model=64 heads=4 length=8 kind=offset #0",
                "uniqueness none d_model=64 heads=4 length=16 kind=offset #0"});
  REQUIRE(cells_of("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\naxes = { length = [8, 16] }\n"
                   "[[experiment.zip]]\nkind = ['position', 'offset']\n") ==
          Lines{"uniqueness none d_model=128 heads=8 length=8 kind=position #0",
                "uniqueness none d_model=128 heads=8 length=8 kind=offset #0",
                "uniqueness none d_model=128 heads=8 length=16 kind=position #0",
                "uniqueness none d_model=128 heads=8 length=16 kind=offset #0"});
}

TEST_CASE("variants: set, axes, zips, and labels that name what the study sets or varies") {
  const std::string rest = "[[experiment]]\nuse = 'uniqueness'\n";
  REQUIRE(cells_of("[[scheme]]\nuse = 'rope'\n[[scheme]]\nuse = 'sinusoidal'\n" + rest) ==
          Lines{"uniqueness rope d_model=128 heads=8 length=128 kind=position #0",
                "uniqueness sinusoidal d_model=128 heads=8 length=128 kind=position #0"});
  REQUIRE(
      cells_of(
          "[[scheme]]\nuse = 'rope'\nset = { style = 'half-split' }\naxes = { base = [1e4, 5e5] }\n[[scheme]]\nuse = "
          "'sinusoidal'\nset = { base = 9 }\n" +
          rest) ==
      Lines{"uniqueness rope(base=10000.0, style=half-split) d_model=128 heads=8 length=128 kind=position #0",
            "uniqueness rope(base=500000.0, style=half-split) d_model=128 heads=8 length=128 kind=position #0",
            "uniqueness sinusoidal(base=9.0) d_model=128 heads=8 length=128 kind=position #0"});
  REQUIRE(cells_of("[[scheme]]\nuse = 'rope'\nset = { base = 2 }\n[[scheme]]\nuse = 'sinusoidal'\n" + rest)[1] ==
          "uniqueness sinusoidal d_model=128 heads=8 length=128 kind=position #0");
  REQUIRE(
      cells_of(
          "[[scheme]]\nuse = 'rope'\n[[scheme]]\nuse = 'rope'\n[[scheme.zip]]\nstyle = ['interleaved', 'half-split']\n"
          "base = [2, 3]\n" +
          rest) ==
      Lines{"uniqueness rope(base=10000.0, style=interleaved) d_model=128 heads=8 length=128 kind=position #0",
            "uniqueness rope(base=2.0, style=interleaved) d_model=128 heads=8 length=128 kind=position #0",
            "uniqueness rope(base=3.0, style=half-split) d_model=128 heads=8 length=128 kind=position #0"});
  const study::Plan plan = fake::plan(study_text("[[scheme]]\nuse = 'rope'\naxes = { base = [2, 3] }\n" + rest));
  REQUIRE(plan.cells[0].variant.varied == Lines{"base"});
  REQUIRE(plan.cells[0].variant.parameters.real("base") == 2.0);
  REQUIRE(plan.cells[0].variant.parameters.text("style") == "interleaved");
}

TEST_CASE("experiments of one kind are a union: in one place, each cell once") {
  REQUIRE(cells_of("[[scheme]]\nuse = 'rope'\n[[scheme]]\nuse = 'none'\n"
                   "[[experiment]]\nuse = 'uniqueness'\naxes = { length = [8, 16] }\n"
                   "[[experiment]]\nuse = 'extrapolation'\naxes = { train_length = 4 }\n"
                   "[[experiment]]\nuse = 'uniqueness'\naxes = { length = [16, 32] }\n") ==
          Lines{"uniqueness rope d_model=128 heads=8 length=8 kind=position #0",
                "uniqueness rope d_model=128 heads=8 length=16 kind=position #0",
                "uniqueness rope d_model=128 heads=8 length=32 kind=position #0",
                "uniqueness none d_model=128 heads=8 length=8 kind=position #0",
                "uniqueness none d_model=128 heads=8 length=16 kind=position #0",
                "uniqueness none d_model=128 heads=8 length=32 kind=position #0",
                "extrapolation rope d_model=128 heads=8 train_length=4 centred=false multiple=[1, 2, 4] #0",
                "extrapolation none d_model=128 heads=8 train_length=4 centred=false multiple=[1, 2, 4] #0"});
}

TEST_CASE("in a union the wider wish wins: more repeats, and running over skipping") {
  const std::string skip = "[[experiment.skip]]\nwhen = { length = { le = 16 } }\nreason = 'short'\n";
  REQUIRE(cells_of("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\naxes = { length = [8, 16] }\n" +
                   skip + "[[experiment]]\nuse = 'uniqueness'\nrepeats = 2\naxes = { length = [16] }\n") ==
          Lines{"uniqueness none d_model=128 heads=8 length=8 kind=position #0 skipped: short",
                "uniqueness none d_model=128 heads=8 length=16 kind=position #0",
                "uniqueness none d_model=128 heads=8 length=16 kind=position #1"});
  const std::string block = "[[experiment]]\nuse = 'uniqueness'\nrepeats = ";
  REQUIRE(cells_of("[[scheme]]\nuse = 'none'\n" + block + "3\n" + block + "2\n").size() == 3);
}

TEST_CASE("repeats: ten where something is drawn, else one, unless the study says") {
  const auto count = [](const std::string& scheme, const std::string& experiment) {
    return cells_of("[[scheme]]\nuse = " + scheme + "\n[[experiment]]\nuse = " + experiment).size();
  };
  REQUIRE(count("'none'", "'uniqueness'") == 1);
  REQUIRE(count("'learned'\nset = { max_length = 9 }", "'uniqueness'") == 10);
  REQUIRE(count("'none'", "'relative-shift'") == 10);
  REQUIRE(count("'none'", "'relative-shift'\nrepeats = 3") == 3);
  REQUIRE(count("'learned'\nset = { max_length = 9 }", "'uniqueness'\nrepeats = 1") == 1);
  const study::Plan plan = fake::plan(study_text("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'relative-shift'"));
  std::set<std::string> ids;
  for (int i = 0; i < 10; ++i) REQUIRE(plan.cells[static_cast<std::size_t>(i)].repeat == i);
  for (const data::Cell& cell : plan.cells) ids.insert(cell.id);
  REQUIRE(ids.size() == 10);
}

TEST_CASE("skips: by axis, by model, by scheme, by parameter, by relation") {
  const auto skipped = [](const std::string& when) {
    const Lines lines = cells_of(
        "[[scheme]]\nuse = 'rope'\naxes = { base = [2, 3] }\n[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = "
        "'uniqueness'\naxes = { length = [8, 16] }\nskip = [{ when = " +
        when + ", reason = 'why' }]");
    REQUIRE(lines.size() == 6);  // rope 2 length 8, 16; rope 3 length 8, 16; none length 8, 16
    std::string pattern;
    for (const std::string& line : lines) pattern += line.find(" skipped: why") == std::string::npos ? '.' : 'x';
    return pattern;
  };
  REQUIRE(skipped("{ length = 8 }") == "x.x.x.");
  REQUIRE(skipped("{ length = { ge = 16 } }") == ".x.x.x");
  REQUIRE(skipped("{ length = { gt = 8 } }") == ".x.x.x");
  REQUIRE(skipped("{ length = { le = 8.5 } }") == "x.x.x.");
  REQUIRE(skipped("{ length = { le = 8 } }") == "x.x.x.");
  REQUIRE(skipped("{ length = { lt = 8 } }") == "......");
  REQUIRE(skipped("{ length = { ne = 8 } }") == ".x.x.x");
  REQUIRE(skipped("{ length = { in = [4, 8] } }") == "x.x.x.");
  REQUIRE(skipped("{ length = { gt = 4, lt = 16 } }") == "x.x.x.");
  REQUIRE(skipped("{ heads = 8, d_model = 128 }") == "xxxxxx");
  REQUIRE(skipped("{ heads = 4 }") == "......");
  REQUIRE(skipped("{ scheme = 'rope' }") == "xxxx..");
  REQUIRE(skipped("{ scheme = { ne = 'rope' } }") == "....xx");
  REQUIRE(skipped("{ scheme = { in = ['none', 'learned'] } }") == "....xx");
  REQUIRE(skipped("{ scheme = 'rope', length = 8 }") == "x.x...");
  REQUIRE(skipped("{ base = 2 }") == "xx....");
  REQUIRE(skipped("{ base = { ne = 2 } }") == "..xx..");  // none has no base: the condition does not hold
  REQUIRE(skipped("{ style = 'half-split' }") == "......");
  REQUIRE(skipped("{ style = 'rows' }") == "......");  // a style of learned, which is not in the study
  REQUIRE(skipped("{ kind = 'position' }") == "xxxxxx");
}

TEST_CASE("skipped cells keep one repeat and are not forecast") {
  int asked = 0;
  const auto forecast = [&](const data::Cell& cell) {
    ++asked;
    REQUIRE(cell.axes.integer("length") != 8);
    data::Forecast result;
    result.estimate.bytes = 7;
    if (cell.axes.integer("length") == 32) result.skip = "the table ends at 16";
    return result;
  };
  const study::Study read =
      fake::parse(study_text("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'relative-shift'\nrepeats = 2\n"
                             "axes = { length = [8, 16, 32] }\nskip = [{ when = { length = 8 }, reason = 'r' }]"));
  const study::Plan plan = study::make_plan(read, fake::catalogue(), fake::each(forecast));
  const std::string head = "relative-shift none d_model=128 heads=8 length=";
  REQUIRE(fake::cells(plan) == Lines{head + "8 shift=[1, 8] #0 skipped: r", head + "16 shift=[1, 8] #0",
                                     head + "16 shift=[1, 8] #1",
                                     head + "32 shift=[1, 8] #0 skipped: the table ends at 16"});
  REQUIRE(asked == 2);
  REQUIRE(plan.estimates.size() == 4);
  REQUIRE(plan.estimates[0].bytes == 0);
  REQUIRE(plan.estimates[1].bytes == 7);
  REQUIRE(plan.estimates[3].bytes == 0);
}

TEST_CASE("heads that do not divide the width are skipped where axes cross") {
  const study::Study indivisible =
      fake::parse(study_text("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\naxes = { heads = 3 }"));
  const auto never = [](const data::Cell&) -> data::Forecast {
    throw base::Error("asked about a model that cannot be");
  };
  REQUIRE(study::make_plan(indivisible, fake::catalogue(), fake::each(never)).cells.size() == 1);
  REQUIRE(
      cells_of("[[scheme]]\nuse = 'none'\n[[experiment]]\nuse = 'uniqueness'\naxes = { heads = [8, 3], d_model = [64, "
               "96] }") ==
      Lines{
          "uniqueness none d_model=64 heads=8 length=128 kind=position #0",
          "uniqueness none d_model=64 heads=3 length=128 kind=position #0 skipped: 3 heads do not divide d_model = 64",
          "uniqueness none d_model=96 heads=8 length=128 kind=position #0",
          "uniqueness none d_model=96 heads=3 length=128 kind=position #0"});
}

TEST_CASE("a cell's identity is that of what it is, not of its position in a study") {
  const auto id = [](const std::string& rest, std::size_t i) { return fake::plan(study_text(rest)).cells.at(i).id; };
  const std::string small = "[[scheme]]\nuse = 'rope'\n[[experiment]]\nuse = 'uniqueness'\naxes = { length = 16 }";
  const std::string large =
      "[[scheme]]\nuse = 'none'\n[[scheme]]\nuse = 'rope'\naxes = { base = [1e4, 5e5] }\n[[experiment]]\nuse = "
      "'uniqueness'\nrepeats = 2\naxes = { length = [8, 16] }";
  REQUIRE(id(small, 0).size() == 32);
  REQUIRE(id(small, 0) == id(large, 6));  // none: 4 cells; rope 1e4: length 8 twice, then 16
  REQUIRE(id(small, 0) != id("seed = 1\n" + small, 0));
  const study::Plan plan = fake::plan(study_text(large));
  std::set<std::string> ids;
  for (const data::Cell& cell : plan.cells) ids.insert(cell.id);
  REQUIRE(ids.size() == plan.cells.size());
  data::Cell cell = plan.cells[6];
  REQUIRE(cell.id == data::identity(cell, "1.0", "1.0"));
}

TEST_CASE("studies put together by hand are checked too") {
  study::Study study;
  study.path = "by hand";
  const auto forecast = fake::each([](const data::Cell&) { return data::Forecast{}; });
  const data::Catalogue catalogue = fake::catalogue();
  REQUIRE_THROWS_WITH(study::make_plan(study, catalogue, forecast),
                      "by hand:1:1: the study has no cells: it needs at least one [[scheme]] and one [[experiment]]");
  study.schemes = {{"rope", {}, {}, {}, {}, {}}, {"rope", {}, {}, {}, {}, {}}};
  study.experiments = {{"uniqueness", std::nullopt, {}, {}, {}, {}}};
  REQUIRE(study::make_plan(study, catalogue, forecast).cells.size() == 1);  // the same variant twice is one
  data::Expectation expectation{"uniqueness", "min_distance", {{"length", std::int64_t{3}}}, 0, 0, "", 4, 1};
  study.expectations = {expectation};
  REQUIRE_THROWS_AS(study::make_plan(study, catalogue, forecast), study::StudyErrors);
  study.expectations.clear();
  study.experiments[0].repeats = 2000000;
  REQUIRE_THROWS_AS(study::make_plan(study, catalogue, forecast), study::StudyErrors);
  study.experiments = {{"unheard-of", std::nullopt, {}, {}, {}, {}}};
  REQUIRE_THROWS_AS(study::make_plan(study, catalogue, forecast), base::Error);
}
