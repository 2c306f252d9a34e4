// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/find.hpp"

#include <algorithm>
#include <fstream>

#include "catch.hpp"
#include "cells.hpp"
#include "poslab/base/find_by.hpp"
#include "scratch.hpp"
#include "shipped.hpp"
#include "synonyms.hpp"

using namespace poslab;
using run::Hit;
using Words = std::vector<std::string>;

namespace {

data::Catalogue catalogue() {
  data::Catalogue all;
  data::SchemeInfo& rope = all.schemes.emplace_back();
  rope.id = "rope", rope.summary = "rotates pairs of channels", rope.paper = "Su et al. 2021";
  data::Quantity& base = rope.parameters.emplace_back();
  base.name = "base", base.sentence = "of the wavelengths";
  data::Quantity& style = rope.parameters.emplace_back();
  style.name = "style", style.choices = {"half-split"};
  all.schemes.emplace_back().id = "rope-2d";
  data::ExperimentInfo& experiment = all.experiments.emplace_back();
  experiment.id = "uniqueness", experiment.question = "Which positions look alike?";
  experiment.axes.emplace_back().name = "train_length";
  data::MeasureInfo& measure = experiment.measures.emplace_back();
  measure.name = "min_distance", measure.sentence = "the least distance of two positions";
  measure.definition = "min |s_p - s_q|";
  return all;
}

std::vector<std::string> names(const Words& words) {
  std::vector<std::string> all;
  for (const Hit& one : run::find(words, catalogue(), "/nowhere"))
    all.push_back(one.owner.empty() ? one.name : one.owner + "/" + one.name);
  return all;
}

void write_page(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("find: names by a part of them, whatever joins their words") {
  CHECK(names({"min_distance"}) == Words{"uniqueness/min_distance"});
  CHECK(names({"Min Dist"}) == Words{"uniqueness/min_distance"});
  CHECK(names({"TRAIN-LEN"}) == Words{"uniqueness/train_length"});
  CHECK(names({"rope"}) == Words{"rope", "rope-2d"});  // and not every parameter of theirs
  CHECK(names({"rope", "base"}) == Words{"rope/base"});
  CHECK(names({"potato"}).empty());
  CHECK(names({"rope", "potato"}).empty());
}

TEST_CASE("find: sentences, and what else is declared") {
  CHECK(names({"wavelength"}) == Words{"rope/base"});
  CHECK(names({"alike"}) == Words{"uniqueness"});
  CHECK(names({"half_split"}) == Words{"rope/style"});
  CHECK(names({"su et al"}) == Words{"rope"});
  CHECK(names({"positions"}) == Words{"uniqueness", "uniqueness/min_distance"});
  const auto found = run::find({"distance"}, catalogue(), "/nowhere");
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Hit::Kind::measure);
  CHECK(found[0].where == Hit::Where::in_name);
  CHECK(found[0].text == "the least distance of two positions");
}

TEST_CASE("find: the nearest first") {
  data::Catalogue two = catalogue();
  std::swap(two.schemes[0], two.schemes[1]);
  const auto found = run::find({"rope"}, two, "/nowhere");
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "rope");
  CHECK(found[0].where == Hit::Where::is_name);
  CHECK(found[1].where == Hit::Where::in_name);
}

TEST_CASE("find: the field's other words lead to the thing, first and by that word") {
  data::Catalogue all = catalogue();
  data::SchemeInfo& none = all.schemes.emplace_back();
  none.id = "none", none.summary = "nothing is added";
  data::SchemeInfo& table = all.schemes.emplace_back();
  table.id = "learned", table.family = data::Family::additive, table.summary = "a shape of its own";
  data::SchemeInfo& t5 = all.schemes.emplace_back();
  t5.id = "t5", t5.family = data::Family::bias;
  all.schemes[1].summary = "shaped as planes";
  const auto first = [&](const Words& words) {
    const auto found = run::find(words, all, "/nowhere");
    return found.empty() ? "" : found.front().name + ": " + found.front().text;
  };
  CHECK(first({"NoPE"}) == "none: NoPE: nothing is added");
  CHECK(first({"no", "positional", "encoding"}) == "none: no positional encoding: nothing is added");
  CHECK(first({"rope_theta"}) == "base: rope_theta: of the wavelengths");
  CHECK(first({"theta"}) == "base: theta: of the wavelengths");
  CHECK(first({"APE"}) == "learned: APE: a shape of its own");  // before rope-2d, which has the letters
  CHECK(first({"RPE"}) == "t5: RPE: ");
}

TEST_CASE("find: what other words are for is declared by what ships") {
  const std::vector<std::string> schemes = shipped_schemes();
  for (const run::Renamed& thing : run::renamed()) {
    CAPTURE(thing.name, thing.owner);
    if (thing.kind == Hit::Kind::scheme)
      CHECK(std::ranges::find(schemes, thing.name) != schemes.end());
    else if (thing.kind == Hit::Kind::parameter)
      CHECK(base::find_by(cells::plugin(thing.owner)->info().parameters, &data::Quantity::name, thing.name));
    else
      CHECK_NOTHROW(experiments::find_experiment(thing.owner.empty() ? thing.name : thing.owner));
    if (thing.kind == Hit::Kind::axis) CHECK(experiments::find_experiment(thing.owner).info.axis(thing.name));
  }
}

TEST_CASE("find: pages by line, and by all of the page, studies have theirs") {
  const check::Scratch scratch;
  write_page(scratch / "pages/core/a.md", "# A page\n\nthe mark of an answer, and then, later, the interval of it\n");
  write_page(scratch / "pages/b.md", "an interval\n\nand in another line an answer\n");
  write_page(scratch / "pages/c.txt", "an interval of an answer\n");
  write_page(scratch / "studies/d.md", "the Interval: an answer\n");
  std::filesystem::create_symlink("nowhere.md", scratch / "pages/gone.md");
  const auto found = run::find({"interval", "answer"}, {}, scratch.path);
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "pages/core/a.md");
  CHECK(found[0].line == 3);
  CHECK_THAT(found[0].text, check::contains("answer, and then"));
  CHECK(found[1].name == "studies/d.md");
  CHECK(found[2].name == "pages/b.md");
  CHECK(found[2].line == 1);
  CHECK(found[2].where == Hit::Where::elsewhere);
}

TEST_CASE("find: where nothing has the words, what may have been meant") {
  const base::Error error = run::nothing_found({"min_distnace"}, catalogue());
  CHECK(error.kind == base::Error::Kind::argument);
  CHECK_THAT(error.what(), check::contains("did you mean \"min_distance\"?"));
  CHECK_THAT(run::nothing_found({"potato"}, catalogue()).what(), check::contains("\"potato\""));
}
