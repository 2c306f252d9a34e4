// SPDX-License-Identifier: Apache-2.0
// --axis and --only.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "fake_catalogue.hpp"
#include "scratch.hpp"

using namespace poslab;
using Lines = std::vector<std::string>;

namespace {

const std::string text =
    "format = 1\ntitle = 't'\n"
    "[[scheme]]\nuse = 'rope'\n"
    "[[scheme]]\nuse = 'none'\n"
    "[[experiment]]\nuse = 'uniqueness'\naxes = { length = [8, 16] }\n"
    "[[experiment.zip]]\nheads = [8, 8, 4]\nd_model = [64, 128, 64]\n"
    "[[experiment]]\nuse = 'relative-shift'\nrepeats = 1\naxes = { length = 4 }\n"
    "[[expect]]\nexperiment = 'uniqueness'\nmeasure = 'collisions'\nvalue = 0\ntolerance = 0\nwhere = { scheme = "
    "'rope', length = 8 }\n";

study::Overrides axis(const std::string& name, const std::string& values) { return {{{name, values}}, {}}; }
study::Overrides only(std::vector<std::string> ids) { return {{}, std::move(ids)}; }
using Chosen = std::vector<std::pair<std::string, std::string>>;
study::Overrides only(std::vector<std::string> ids, Chosen values) {
  return {{}, std::move(ids), false, std::move(values)};
}
study::Overrides joining(std::vector<std::string> ids) { return {{}, std::move(ids), true}; }

Lines cells_of(const study::Overrides& overrides) { return fake::cells(fake::plan(text, overrides)); }

}  // namespace

TEST_CASE("the option --axis replaces an axis wherever an experiment has it") {
  const study::Study study = fake::parse(text, axis("length", "32, 64"));
  REQUIRE(study.experiments[0].axes[0].values == std::vector<data::Value>{std::int64_t{32}, std::int64_t{64}});
  REQUIRE(study.experiments[1].axes[0].values == std::vector<data::Value>{std::int64_t{32}, std::int64_t{64}});
  REQUIRE(study.expectations.empty());  // no cell of length 8 is left
  REQUIRE(fake::parse(text, axis("length", "8")).expectations.size() == 1);
  REQUIRE(fake::plan(text, axis("length", "32,64")).cells.size() == 2 * (3 * 2 + 2));
}

TEST_CASE("the option --axis gives an inner axis its whole list, and a left-out axis its values") {
  REQUIRE(cells_of({{{"shift", "16,2.5"}}, {"relative-shift", "none"}}) ==
          Lines{"relative-shift none d_model=128 heads=8 length=4 shift=[2.5, 16] #0"});
  const study::Study study = fake::parse(text, axis("kind", "offset"));
  REQUIRE(study.experiments[0].axes[1].name == "kind");
  REQUIRE(study.experiments[0].axes[1].values == std::vector<data::Value>{std::string("offset")});
}

TEST_CASE("an overridden axis leaves its zip, and rows that became equal are one") {
  REQUIRE(cells_of({{{"d_model", "256"}, {"length", "8"}}, {"none", "uniqueness"}}) ==
          Lines{"uniqueness none d_model=256 heads=8 length=8 kind=position #0",
                "uniqueness none d_model=256 heads=4 length=8 kind=position #0"});
  const study::Study study = fake::parse(text, axis("d_model", "256"));
  REQUIRE(study.experiments[0].zips[0][0].values == std::vector<data::Value>{std::int64_t{8}, std::int64_t{4}});
  REQUIRE(fake::mistakes(study.resolved()) == "");
  REQUIRE(cells_of({{{"d_model", "256"}, {"heads", "3"}, {"length", "8"}}, {"none", "uniqueness"}}) ==
          Lines{"uniqueness none d_model=256 heads=3 length=8 kind=position #0 skipped: 3 heads do not divide d_model "
                "= 256"});
}

TEST_CASE("the option --only keeps schemes and experiments by id") {
  REQUIRE(fake::parse(text, only({"rope"})).schemes.size() == 1);
  REQUIRE(fake::parse(text, only({"rope"})).experiments.size() == 2);
  REQUIRE(fake::parse(text, only({"rope"})).expectations.size() == 1);
  REQUIRE(fake::parse(text, only({"none"})).expectations.empty());
  REQUIRE(fake::parse(text, only({"relative-shift"})).schemes.size() == 2);
  REQUIRE(fake::parse(text, only({"relative-shift"})).experiments.size() == 1);
  REQUIRE(fake::parse(text, only({"relative-shift"})).expectations.empty());
  REQUIRE(fake::parse(text, only({"rope", "none", "uniqueness"})).schemes.size() == 2);
}

TEST_CASE("the option --only keeps of an axis the values that it names") {
  CHECK(cells_of(only({"none"}, {{"length", "16"}, {"heads", "4"}})) ==
        Lines{"uniqueness none d_model=64 heads=4 length=16 kind=position #0"});
  CHECK(cells_of(only({"none"}, {{"length", "4"}})) ==
        Lines{"relative-shift none d_model=128 heads=8 length=4 shift=[1, 8] #0"});
  CHECK(fake::plan(text, only({}, {{"length", "4"}, {"length", "16"}})).cells.size() == 2 * (3 + 1));
  CHECK(fake::plan(text, only({}, {{"kind", "position"}})).cells.size() == 2 * 3 * 2);  // a default
  CHECK(fake::plan(text, only({}, {{"kind", "position"}, {"length", "8"}})).cells.size() == 2 * 3);
  CHECK(fake::parse(text, only({}, {{"length", "8"}})).expectations.size() == 1);
  CHECK(fake::parse(text, only({}, {{"length", "16"}})).expectations.empty());
  CHECK(fake::mistakes(fake::parse(text, only({}, {{"heads", "8"}})).resolved()) == "");
  // Every cell is one of the whole study's.
  const Lines whole = fake::cells(fake::plan(text));
  for (const std::string& cell : cells_of(only({}, {{"d_model", "64"}, {"length", "8"}})))
    CHECK(std::ranges::find(whole, cell) != whole.end());
  // What --axis gives is there to be kept, and what it replaces is not.
  const auto at = [](const char* length) {
    return fake::mistakes(text, {{{"length", "32,64"}}, {"none"}, false, {{"length", length}}});
  };
  CHECK(at("32") == "");
  CHECK(at("8") == "command line: --only: no experiment of this study has these values");
}

TEST_CASE("mistakes on the command line") {
  REQUIRE(fake::mistakes(text, only({}, {{"lenght", "8"}})) ==
          "command line: --only \"lenght\": no experiment of this study has such an axis; did you mean \"length\"?");
  REQUIRE(fake::mistakes(text, only({}, {{"length", "32"}})) ==
          "command line: --only: no experiment of this study has these values");
  REQUIRE(fake::mistakes(text, only({}, {{"length", "long"}})) ==
          "command line: --only: \"length\" is \"long\", but must be an integer");
  REQUIRE(fake::mistakes(text, only({}, {{"shift", "1"}})) ==
          "command line: --only: all values of \"shift\" are measured in one cell; --axis shift=.. asks for others");
  REQUIRE(fake::mistakes(text, axis("lenght", "8")) ==
          "command line: --axis \"lenght\": no experiment of this study has such an axis; did you mean \"length\"?");
  REQUIRE(fake::mistakes(text, axis("base", "8")) ==
          "command line: --axis \"base\": no experiment of this study has such an axis; it is a parameter of rope: "
          "vary it in the "
          "study, in axes of its [[scheme]]");
  REQUIRE(fake::mistakes(text, axis("length", "0,8")) ==
          "command line: --axis: \"length\" is 0, but must be from 1 to 65536");
  REQUIRE(fake::mistakes(text, axis("length", "8,8")) == "command line: --axis: \"length\" has 8 twice");
  REQUIRE(fake::mistakes(text, axis("length", "")) ==
          "command line: --axis: \"length\" is \"\", but must be an integer");
  REQUIRE(fake::mistakes(text, axis("length", "8,")) ==
          "command line: --axis: \"length\" is \"\", but must be an integer");
  REQUIRE(fake::mistakes(text, axis("length", "1e3")) ==
          "command line: --axis: \"length\" is 1000.0, but must be an integer; write 1000");
  REQUIRE(fake::mistakes(text, axis("length", "nan")) ==
          "command line: --axis: \"length\" is nan, but every number must be finite");
  REQUIRE(fake::mistakes(text, axis("length", "true")) ==
          "command line: --axis: \"length\" is true, but must be an integer");
  REQUIRE(
      fake::mistakes(text, axis("kind", "offst")) ==
      "command line: --axis: \"kind\" is \"offst\", but must be one of position and offset; did you mean \"offset\"?");
  REQUIRE(fake::mistakes(text, {{{"length", "8"}, {"length", "16"}}, {}}) ==
          "command line: --axis \"length\" is given twice");
  REQUIRE(fake::mistakes(text, only({"rop"})) ==
          "command line: --only \"rop\": this study has no such scheme or experiment; did you mean \"rope\"?");
  REQUIRE(
      fake::mistakes(text, only({"zzz", "none"})) ==
      "command line: --only \"zzz\": this study has no such scheme or experiment; it has rope, none, uniqueness and "
      "relative-shift");
  REQUIRE(fake::mistakes(text, {{{"shift", "1"}}, {"uniqueness"}}) ==
          "command line: --axis \"shift\": no experiment of this study has such an axis");
}

TEST_CASE("with others_join a scheme that the study has not joins it, alone, with its defaults") {
  const study::Study study = fake::parse(text, joining({"sinusoidal"}));
  REQUIRE(study.schemes.size() == 1);
  CHECK(study.schemes[0].id == "sinusoidal");
  CHECK(study.experiments.size() == 2);
  CHECK(cells_of(joining({"rope"})) == cells_of(only({"rope"})));
  CHECK(fake::parse(text, joining({"sinusoidal", "none", "uniqueness"})).schemes.size() == 2);
  CHECK(fake::mistakes(text, joining({"rop"})) ==
        "command line: --only \"rop\": this study has no such scheme or experiment; did you mean \"rope\"?");
  CHECK(fake::mistakes(text, joining({"learned"})) ==
        "command line: --only \"learned\": it needs a value for \"max_length\": give it in a [[scheme]] of a copy of "
        "the study");
}

TEST_CASE("the option --only names a scheme by its file, whatever else that is called") {
  const check::Scratch scratch;
  std::ofstream(scratch / "mine.py") << "";
  std::filesystem::create_symlink(scratch / "mine.py", scratch / "link.py");
  data::Catalogue catalogue = fake::catalogue();
  for (data::SchemeInfo& scheme : catalogue.schemes)
    if (scheme.id == "rope") scheme.file = scratch / "link.py";
  const auto kept = [&](const std::string& name) {
    return study::parse_study(text, "study.toml", catalogue, only({name})).schemes;
  };
  for (const char* name : {"link.py", "mine.py"}) {
    const auto schemes = kept(scratch / name);
    REQUIRE(schemes.size() == 1);
    CHECK(schemes.front().id == "rope");
  }
  CHECK_THROWS_AS(kept(scratch / "other.py"), study::StudyErrors);
}

TEST_CASE("marks are corrected for the whole study, whatever is left out of it") {
  const auto families = [](const study::Overrides& overrides) {
    return study::families_of(fake::parse(text, overrides), overrides, fake::catalogue());
  };
  // Two variants; lengths times zipped heads and widths.
  const data::Families whole{{"relative-shift", 2}, {"uniqueness", 2 * 2 * 3}};
  CHECK(families({}) == whole);
  CHECK(families(only({"none"})) == whole);
  CHECK(families(only({"none", "uniqueness"})) == whole);
  CHECK(families(only({}, {{"length", "8"}})) == whole);
  CHECK(families(joining({"sinusoidal", "uniqueness"})) == data::Families{{"relative-shift", 3}, {"uniqueness", 18}});
  CHECK(families(axis("length", "8")) == data::Families{{"relative-shift", 2}, {"uniqueness", 6}});
}
