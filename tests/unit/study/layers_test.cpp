// SPDX-License-Identifier: Apache-2.0
// `layers` of a [[scheme]]: a scheme, or a set of parameters, for each layer.
#include "catch.hpp"
#include "fake_catalogue.hpp"
#include "poslab/data/mixed.hpp"

using namespace poslab;

namespace {

// A study with this [[scheme]], whose first line is 4, and one that is plain.
std::string with_row(const std::string& scheme, const std::string& more = "") {
  return "format = 1\ntitle = 't'\n[[scheme]]\n" + scheme + "\n[[scheme]]\nuse = 'sinusoidal'\n[[experiment]]\n" +
         "use = 'uniqueness'\n" + more;
}

data::Variant variant(const std::string& scheme) { return fake::plan(with_row(scheme)).cells.front().variant; }

}  // namespace

TEST_CASE("layers: a list of schemes is a variant of its own, whose layers have all their parameters") {
  const data::Variant llama = variant("layers = ['rope', 'rope', 'rope', 'none']");
  CHECK(llama.label == "3 rope, none");
  CHECK(llama.scheme == "rope+none");
  REQUIRE(llama.layers.size() == 4);
  CHECK(llama.layers[0].scheme == "rope");
  CHECK(llama.layers[0].parameters.size() == 3);
  CHECK(llama.layers[3] == data::LayerVariant{"none", {}});
  CHECK(std::get<std::string>(llama.parameters.at(data::by_layer)) ==
        "3 rope(base=10000.0, style=interleaved, factors=[1, 1]), none");
  const data::Variant gemma = variant(
      "label = 'gemma-3'\nlayers = ['rope', 'rope', { use = 'rope', set = { base = 1e6, style = 'half-split' } }]");
  CHECK(gemma.label == "gemma-3");
  CHECK(gemma.scheme == "rope+rope");
  CHECK(data::number(gemma.layers[2].parameters.at("base"), "base") == 1e6);
  CHECK(variant("layers = ['rope', { use = 'rope', set = { base = 1e6 } }]").label ==
        "rope(base=10000.0), rope(base=1000000.0)");
}

TEST_CASE("layers: a list is as long as what repeats, and one that says the same throughout is no list") {
  CHECK(variant("layers = ['rope', 'none', 'rope', 'none']") == variant("layers = ['rope', 'none']"));
  CHECK(variant("layers = ['rope', 'none', 'none']").layers.size() == 3);
  const std::string plain = with_row("use = 'rope'"), list = with_row("layers = ['rope', 'rope']");
  const study::Plan a = fake::plan(plain), b = fake::plan(list);
  REQUIRE(a.cells.size() == b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) CHECK(a.cells[i].id == b.cells[i].id);
  CHECK(fake::parse(plain).hash() == fake::parse(list).hash());
  // A value that is the default says nothing more.
  CHECK(variant("layers = ['rope', { use = 'rope', set = { base = 10000 } }]").layers.empty());
}

TEST_CASE("layers: a cell's identity is made of every layer and of every plugin's version") {
  const auto first = [](const std::string& scheme, const data::Catalogue& catalogue) {
    const study::Study study = study::parse_study(with_row(scheme), "study.toml", catalogue);
    return study::make_plan(study, catalogue, fake::each([](const data::Cell&) { return data::Forecast{}; }))
        .cells.front()
        .id;
  };
  const std::string list = "layers = ['rope', 'none']";
  const std::string id = first(list, fake::catalogue());
  CHECK(first("layers = ['rope', 'rope', 'none']", fake::catalogue()) != id);
  CHECK(first("layers = ['none', 'rope']", fake::catalogue()) != id);
  CHECK(first("layers = [{ use = 'rope', set = { base = 3 } }, 'none']", fake::catalogue()) != id);
  CHECK(first("label = 'a'\n" + list, fake::catalogue()) == id);
  for (const std::size_t which : {std::size_t{0}, std::size_t{3}}) {
    data::Catalogue newer = fake::catalogue();
    newer.schemes[which].version = "1.1";
    CHECK(first(list, newer) != id);
  }
}

TEST_CASE("layers: the resolved study keeps them, and other rows keep their labels") {
  const std::string text = with_row(
      "label = 'gemma-3'\nlayers = ['rope', { use = 'rope', set = { base = 1e6 } }, 'none']\n[[scheme]]\nuse = 'rope'",
      "[[expect]]\nexperiment = 'uniqueness'\nmeasure = 'min_distance'\nvalue = 1\ntolerance = 1\nwhere = { scheme = "
      "'rope+rope+none' }\n[[experiment.skip]]\nwhen = { scheme = 'rope+rope+none' }\nreason = 'r'");
  const study::Study study = fake::parse(text);
  INFO(study.resolved());
  CHECK(fake::parse(study.resolved()).resolved() == study.resolved());
  const study::Plan one = fake::plan(text), two = fake::plan(study.resolved());
  REQUIRE(fake::cells(one) == fake::cells(two));
  CHECK(one.cells[0].id == two.cells[0].id);
  CHECK(one.cells[0].skip == base::Refusal("r"));
  CHECK(one.cells[1].variant.label == "rope");
  CHECK(!one.cells[1].skip);
  study::Overrides overrides;
  overrides.only = {"rope+rope+none"};
  CHECK(fake::plan(text, overrides).cells.size() == 1);
}

TEST_CASE("layers: two lists of the same schemes are two variants, and the same list is one too many") {
  const auto twice = [](const std::string& second) {
    return with_row("layers = ['rope', 'none']\n[[scheme]]\nlayers = " + second);
  };
  CHECK(fake::mistakes(twice("['rope', 'none', 'none']")).empty());
  CHECK(fake::cells(fake::plan(twice("['rope', 'none', 'none']")))[1].starts_with("uniqueness rope, 2 none "));
  CHECK_THAT(fake::mistakes(twice("['rope', 'none', 'rope', 'none']")),
             check::contains("rope, none is in the study already, from the [[scheme]] in line 3"));
  CHECK(fake::mistakes(with_row("layers = ['rope', 'none']",
                                "[[expect]]\nexperiment = 'uniqueness'\nmeasure = "
                                "'min_distance'\nvalue = 1\ntolerance = 1\nwhere = { scheme "
                                "= 'rope+none' }"))
            .empty());
}

TEST_CASE("layers: every mistake is told where it is") {
  const auto says = [](const std::string& scheme) { return fake::mistakes(with_row(scheme)); };
  CHECK_THAT(says("layers = []"), check::starts_with("study.toml:4:10: ") && check::contains("\"layers\" is empty"));
  CHECK_THAT(says("layers = 'rope'"), check::contains("\"layers\" is a text, but must be a list"));
  CHECK_THAT(says("layers = ['rope', 3]"),
             check::starts_with("study.toml:4:19: ") && check::contains("an entry of layers is an integer"));
  CHECK_THAT(says("layers = ['rope', 'rop']"),
             check::starts_with("study.toml:4:19: ") && check::contains("no plugin offers a scheme called \"rop\""));
  CHECK_THAT(says("layers = ['rope', { set = { base = 3 } }]"), check::contains("\"use\""));
  CHECK_THAT(says("layers = ['rope', { use = 'none', set = { base = 3 } }]"),
             check::contains("\"base\" is not a parameter of none"));
  CHECK_THAT(says("layers = ['rope', { use = 'rope', base = 3 }]"),
             check::contains("unknown key \"base\" in an entry of layers; it belongs in set"));
  CHECK_THAT(says("layers = ['rope', { use = 'rope', set = { base = [3, 4] } }]"),
             check::contains("\"base\" in set is one value"));
  CHECK_THAT(says("layers = ['rope', 'learned']"),
             check::contains("learned needs a value for \"max_length\": give it in set"));
  CHECK_THAT(says("use = 'rope'\nlayers = ['rope', 'none']"), check::contains("this one has both"));
  CHECK_THAT(says("layers = ['rope', 'none']\nset = { base = 3 }"),
             check::starts_with("study.toml:5:7: ") && check::contains("\"set\" beside layers"));
  CHECK_THAT(says("layers = ['rope', 'none']\naxes = { base = [3] }"), check::contains("\"axes\" beside layers"));
  CHECK_THAT(says("layers = ['rope', 'none']\nlayer = 3"), check::contains("unknown key \"layer\""));
  CHECK_THAT(says("layers = ['rope', 'none']\nlabel = 'sinusoidal'"),
             check::contains("the name of another scheme than these layers"));
  CHECK_THAT(says("layers = ['']"), check::starts_with("study.toml:4:11: "));
  // The scheme that a list makes is no plugin's.
  CHECK_THAT(
      says("layers = ['rope', 'none']\n[[scheme]]\nuse = 'rope+none'"),
      check::starts_with("study.toml:6:7: ") && check::contains("no plugin offers a scheme called \"rope+none\""));
  CHECK_THAT(says("layers = ['rope', 'none']\n[[scheme]]\nlayers = ['rope', 'rope+none']"),
             check::contains("no plugin offers a scheme called \"rope+none\""));
  std::string long_list = "layers = ['rope'";
  for (int i = 0; i < 10000; ++i) long_list += ", 'none'";
  CHECK_THAT(says(long_list + "]"), check::contains("has 10001 entries"));
}
