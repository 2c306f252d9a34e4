// SPDX-License-Identifier: Apache-2.0
// Expectations: their mistakes, and the cells that they speak of.
#include "poslab/data/expectation.hpp"
#include "catch.hpp"
#include "fake_catalogue.hpp"

using namespace poslab;

namespace {

// Rope with two bases and learned; two lengths of uniqueness and relative-shift; then one [[expect]], from line 19.
std::string expecting(const std::string& expectation) {
  return "format = 1\ntitle = 't'\n"
         "[[scheme]]\nuse = 'rope'\naxes = { base = [2, 3] }\n"
         "[[scheme]]\nuse = 'learned'\nset = { max_length = 64 }\n"
         "[[experiment]]\nuse = 'uniqueness'\naxes = { length = [8, 16], kind = 'position' }\n"
         "[[experiment]]\nuse = 'uniqueness'\naxes = { length = 32, kind = 'offset' }\n"
         "[[experiment]]\nuse = 'relative-shift'\n\n\n[[expect]]\n" +
         expectation;
}

std::string mistakes_of(const std::string& expectation) { return fake::mistakes(expecting(expectation)); }

std::string where(const std::string& text, const std::string& experiment = "uniqueness",
                  const std::string& measure = "min_distance") {
  return "experiment = '" + experiment + "'\nmeasure = '" + measure + "'\nvalue = 1\ntolerance = 0\nwhere = " + text;
}

// How many cells match.
std::size_t matching(const std::string& text, const std::string& experiment = "uniqueness",
                     const std::string& measure = "min_distance") {
  const study::Plan plan = fake::plan(expecting(where(text, experiment, measure)));
  REQUIRE(plan.expectations.size() == 1);
  std::size_t count = 0;
  for (const data::Cell& cell : plan.cells)
    count += cell.experiment == plan.expectations[0].experiment && study::matches(plan.expectations[0].where, cell);
  return count;
}

}  // namespace

TEST_CASE("an expectation is read whole") {
  const study::Study study =
      fake::parse(expecting("experiment = 'relative-shift'\nmeasure = 'content_error'\nwhere = { scheme = 'rope', base "
                            "= 2, shift = 8 }\nvalue = 3\n"
                            "tolerance = 1e-6\nsource = 'closed form'"));
  REQUIRE(study.expectations.size() == 1);
  const data::Expectation& expectation = study.expectations[0];
  REQUIRE(expectation.experiment == "relative-shift");
  REQUIRE(expectation.measure == "content_error");
  REQUIRE(expectation.where == data::Values{{"scheme", std::string("rope")}, {"base", 2.0}, {"shift", 8.0}});
  REQUIRE(data::to_text(fake::parse(expecting(where("{ position = -0.0 }", "uniqueness", "nearest_distance")))
                            .expectations[0]
                            .where.at("position")) == "0.0");
  REQUIRE(expectation.value == 3.0);
  REQUIRE(expectation.tolerance == 1e-6);
  REQUIRE(expectation.source == "closed form");
  REQUIRE(expectation.line == 19);
  REQUIRE(expectation.column == 1);
}

TEST_CASE("mistakes in [[expect]]") {
  REQUIRE(mistakes_of("") ==
          "study.toml:19:1: [[expect]] needs \"experiment\"\nstudy.toml:19:1: [[expect]] needs \"measure\"\n"
          "study.toml:19:1: [[expect]] needs \"value\"\nstudy.toml:19:1: [[expect]] needs \"tolerance\"");
  REQUIRE(mistakes_of(where("{}") + "\nexact = true") ==
          "study.toml:25:1: unknown key \"exact\" in [[expect]]; its keys are experiment, measure, where, minus, "
          "at_least, at_most, value, tolerance, repeats and source");
  REQUIRE(mistakes_of(where("{}", "uniquness")) ==
          "study.toml:20:14: no experiment is called \"uniquness\"; did you mean \"uniqueness\"?");
  REQUIRE(mistakes_of(where("{}", "uniqueness", "min_distanc")) ==
          "study.toml:21:11: \"min_distanc\" is not a measure of uniqueness; did you mean \"min_distance\"?");
  REQUIRE(mistakes_of(where("{}", "uniqueness", "zzz")) ==
          "study.toml:21:11: \"zzz\" is not a measure of uniqueness; it measures min_distance, nearest_distance, "
          "collisions and course");
  REQUIRE(mistakes_of("experiment = 'uniqueness'\nmeasure = 'collisions'\nvalue = inf\ntolerance = '1'") ==
          "study.toml:22:9: \"value\" is inf, but every number must be finite\n"
          "study.toml:23:13: \"tolerance\" is \"1\", but must be a number");
  REQUIRE(mistakes_of(where("{ lenght = 8 }")) ==
          "study.toml:24:11: \"lenght\" is neither an axis of uniqueness nor a dimension of min_distance; did you mean "
          "\"length\"?");
  REQUIRE(mistakes_of(where("{ scheme = 'rope', bas = 8 }")) ==
          "study.toml:24:28: \"bas\" is neither an axis of uniqueness nor a dimension of min_distance, nor a parameter "
          "of rope; did "
          "you mean \"base\"?");
  REQUIRE(mistakes_of(where("{ base = 2 }")) ==
          "study.toml:24:11: \"base\" is a parameter of schemes: say of which, as in scheme = \"rope\"");
  REQUIRE(mistakes_of(where("{ scheme = 'rop' }")) ==
          "study.toml:24:20: no plugin offers a scheme called \"rop\"; if it is yours: --plugins DIR or "
          "POSLAB_PLUGIN_PATH; did you mean \"rope\"?");
  REQUIRE(mistakes_of(where("{ scheme = 1 }")) == "study.toml:24:20: \"scheme\" is an integer, but must be a text");
  REQUIRE(mistakes_of(where("{ length = 'a' }")) == "study.toml:24:20: \"length\" is \"a\", but must be an integer");
  REQUIRE(mistakes_of(where("{ length = [8, 16] }")) ==
          "study.toml:24:20: \"length\" is [8, 16], but must be an integer");
  REQUIRE(mistakes_of(where("{ position = 8 }")) ==
          "study.toml:24:11: \"position\" is neither an axis of uniqueness nor a dimension of min_distance");
  REQUIRE(mistakes_of(where("{ position = nan }", "uniqueness", "nearest_distance")) ==
          "study.toml:24:22: \"position\" is nan, but every number must be finite");
  REQUIRE(mistakes_of(where("{ shift = 8 }", "relative-shift", "toeplitz_residual")) ==
          "study.toml:24:11: \"shift\" is not a dimension of toeplitz_residual");
  REQUIRE(mistakes_of(where("{ scheme = 'learned', offset = 0 }", "relative-shift", "position_spread")) ==
          "study.toml:24:31: \"offset\" is both a dimension of position_spread and a parameter of learned");
}

TEST_CASE("an expectation may be a bound, of a mean, or of a difference") {
  const std::string head = "experiment = 'uniqueness'\nmeasure = 'min_distance'\n";
  const auto only = [&](const std::string& rest) { return fake::parse(expecting(head + rest)).expectations.at(0); };
  const data::Expectation least = only("at_least = 0.5");
  CHECK((least.gate == data::Gate::at_least && least.value == 0.5 && least.tolerance == 0));
  CHECK(least.repeats == data::OverRepeats::each);
  const data::Expectation most = only("at_most = 0.5\nrepeats = 'mean'");
  CHECK((most.gate == data::Gate::at_most && most.repeats == data::OverRepeats::mean && most.minus.empty()));
  // What minus does not name is the same; another scheme has none of the first one's parameters.
  const data::Expectation bases =
      only("where = { scheme = 'rope', base = 2, length = 8 }\nminus = { base = 3 }\nat_least = 0");
  CHECK(bases.minus == data::Values{{"scheme", std::string("rope")}, {"base", 3.0}, {"length", std::int64_t{8}}});
  const data::Expectation schemes =
      only("where = { scheme = 'rope', base = 2, length = 8 }\nminus = { scheme = 'learned' }\nat_least = 0");
  CHECK(schemes.minus == data::Values{{"length", std::int64_t{8}}, {"scheme", std::string("learned")}});
}

TEST_CASE("mistakes in bounds, means and differences") {
  const std::string head = "experiment = 'uniqueness'\nmeasure = 'min_distance'\n";
  const std::string takes = "\", but takes value and tolerance, or at_least, or at_most";
  CHECK(mistakes_of(head + "at_least = 1\nat_most = 2") ==
        "study.toml:23:11: [[expect]] has \"at_least\" and \"at_most" + takes);
  CHECK(mistakes_of(head + "at_most = 1\ntolerance = 2") ==
        "study.toml:23:13: [[expect]] has \"at_most\" and \"tolerance" + takes);
  CHECK(mistakes_of(head + "at_most = nan") == "study.toml:22:11: \"at_most\" is nan, but every number must be finite");
  CHECK(mistakes_of(head + "at_most = 1\nrepeats = 3") ==
        "study.toml:23:11: \"repeats\" is 3, but must be one of each and mean");
  CHECK(mistakes_of(head + "at_most = 1\nwhere = { length = 8 }\nminus = { length = 8 }") ==
        "study.toml:24:9: \"minus\" names the same values as \"where\": their difference is always 0");
  CHECK(
      mistakes_of(head + "at_most = 1\nminus = { scheme = 'learned', base = 2 }") ==
      "study.toml:23:31: \"base\" is neither an axis of uniqueness nor a dimension of min_distance, nor a parameter of "
      "learned");
  CHECK(mistakes_of(head + "at_most = 1\nminus = { length = 9 }") ==
        "study.toml:19:1: \"minus\" of this expectation matches no cell: none of uniqueness has length = 9");
}

TEST_CASE("what is out of reach is read whole") {
  const std::string study = "format = 1\ntitle = 't'\n[[scheme]]\nuse = 'rope'\n[[experiment]]\nuse = 'uniqueness'\n";
  const auto known = fake::parse(study + "[[out_of_reach]]\nwhat = 'a'\npublished = 'b'\nreason = 'c'\n").out_of_reach;
  REQUIRE(known.size() == 1);
  CHECK((known[0].what == "a" && known[0].published == "b" && known[0].reason == "c"));
  CHECK(fake::mistakes(study + "[[out_of_reach]]\nwhat = 'a'\nwhy = 'c'\n") ==
        "study.toml:7:1: [[out_of_reach]] needs \"published\"\nstudy.toml:7:1: [[out_of_reach]] needs \"reason\"\n"
        "study.toml:9:1: unknown key \"why\" in [[out_of_reach]]; its keys are what, published and reason");
}

TEST_CASE("an expectation that matches no cell is a mistake") {
  const std::string none = "study.toml:19:1: this expectation matches no cell: ";
  REQUIRE(mistakes_of(where("{ length = 9 }")) == none + "none of uniqueness has length = 9");
  REQUIRE(mistakes_of(where("{ length = 32, kind = 'position' }")) ==
          none + "none of uniqueness has length = 32, kind = position at once");
  REQUIRE(mistakes_of(where("{ d_model = 64 }")) == none + "none of uniqueness has d_model = 64");
  REQUIRE(mistakes_of(where("{ scheme = 'none' }")) == none + "none of uniqueness has scheme = none");
  REQUIRE(mistakes_of(where("{ scheme = 'rope', base = 4 }")) == none + "none of uniqueness has base = 4.0");
  REQUIRE(mistakes_of(where("{ scheme = 'learned', limit = 4 }")) == none + "none of uniqueness has limit = 4");
  REQUIRE(mistakes_of(where("{ shift = 3 }", "relative-shift", "content_error")) ==
          none + "none of relative-shift has shift = 3.0");
  REQUIRE(mistakes_of(where("{}", "extrapolation", "novelty")) == none + "the study has no experiment extrapolation");
}

TEST_CASE("a point that no cell can have is a mistake") {
  const auto mistake = [](const std::string& text, const char* measure = "nearest_distance") -> std::string {
    try {
      fake::plan(expecting(where(text, "uniqueness", measure)));
    } catch (const study::StudyErrors& errors) {
      return errors.what();
    }
    return "";
  };
  const std::string none = " lies in no cell that this expectation applies to: they stay below ";
  CHECK(mistake("{ length = 16, position = 15 }").empty());
  CHECK(mistake("{ length = 16, position = 16 }") == "study.toml:19:1: position = 16.0" + none + "16");
  CHECK(mistake("{ position = 31 }").empty());
  CHECK(mistake("{ position = 99 }") == "study.toml:19:1: position = 99.0" + none + "32");
  // The last of the steps is as large as there are steps.
  CHECK(mistake("{ length = 16, step = 16 }", "course").empty());
  CHECK(mistake("{ length = 16, step = 17 }", "course") ==
        "study.toml:19:1: step = 17.0 lies in no cell that this expectation applies to: they end at 16");
}

TEST_CASE("what follows from another mistake is not told again") {
  std::string text = expecting(where("{ length = 8 }"));
  text.replace(text.find("[8, 16]"), 7, "[0, 16]");
  REQUIRE(fake::mistakes(text) == "study.toml:11:20: \"length\" is 0, but must be from 1 to 65536");
  text = expecting(where("{ scheme = 'rope' }"));
  text.replace(text.find("'rope'"), 6, "'rop'");
  REQUIRE(fake::mistakes(text) ==
          "study.toml:4:7: no plugin offers a scheme called \"rop\"; if it is yours: --plugins DIR or "
          "POSLAB_PLUGIN_PATH; did you mean \"rope\"?");
  text = expecting(where("{ length = 9 }"));  // but this does not follow from the scheme's name
  text.replace(text.find("'rope'"), 6, "'rop'");
  REQUIRE_THAT(fake::mistakes(text), check::contains("study.toml:4:7: ") && !check::contains("study.toml:19:1"));
}

TEST_CASE("an expectation matches by scheme, parameters, axes and model, coordinates are not looked at") {
  REQUIRE(matching("{}") == 3 + 3 + 30);  // rope 2, rope 3, and ten repeats of learned
  REQUIRE(matching("{ length = 8 }") == 1 + 1 + 10);
  REQUIRE(matching("{ length = 32 }") == 1 + 1 + 10);  // from the second block
  REQUIRE(matching("{ scheme = 'rope' }") == 6);
  REQUIRE(matching("{ scheme = 'rope', base = 2 }") == 3);
  REQUIRE(matching("{ scheme = 'rope', base = 2, length = 16 }") == 1);
  REQUIRE(matching("{ scheme = 'rope', kind = 'offset' }") == 2);
  REQUIRE(matching("{ d_model = 128, heads = 8, scheme = 'rope' }") == 6);
  REQUIRE(matching("{ scheme = 'rope', position = 3 }", "uniqueness", "nearest_distance") == 6);
  REQUIRE(matching("{ shift = 8 }", "relative-shift", "content_error") == 30);
  REQUIRE(matching("{ scheme = 'rope', offset = 0 }", "relative-shift", "position_spread") == 20);
}
