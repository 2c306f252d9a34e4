// SPDX-License-Identifier: Apache-2.0
// The resolved study is TOML that says the same.
#include "catch.hpp"
#include "fake_catalogue.hpp"

using namespace poslab;

namespace {

const std::string rich =
    "format = 1\ntitle = \"a \\\"title\\\" \\\\ with ← and\\ttabs\"\nseed = 7\n[model]\nd_model = 64\nheads = 4\n"
    "[[scheme]]\nuse = 'rope'\nset = { style = 'half-split', factors = [1, 2.5] }\naxes = { base = { logspace = [10, "
    "1000, 5] } }\n"
    "[[scheme]]\nuse = 'sinusoidal'\n[[scheme.zip]]\nlayout = ['half-split', 'interleaved']\nbase = [3, 1e16]\n"
    "[[scheme]]\nuse = 'learned'\naxes = { max_length = [64, 128] }\n"
    "[[experiment]]\nuse = 'uniqueness'\nrepeats = 3\n[experiment.axes]\nkind = ['offset', 'position']\nlength = { "
    "pow2 = [3, 5] }\n"
    "[[experiment.zip]]\nheads = [1, 2]\nd_model = [64, 64]\n"
    "[[experiment.skip]]\nwhen = { length = { ge = 16, lt = 64 }, scheme = { in = ['rope', 'none'] }, style = "
    "'half-split' }\n"
    "reason = 'too \"long\"'\n"
    "[[experiment.skip]]\nwhen = { base = { ne = 3 }, heads = 2, kind = { in = ['offset'] }, length = { gt = 8, le = "
    "9.5 } }\nreason = 'r'\n"
    "[[experiment]]\nuse = 'relative-shift'\naxes = { shift = { range = [0, 2, 0.5] } }\n"
    "[[experiment]]\nuse = 'extrapolation'\naxes = { centred = [true, false], train_length = 32 }\n"
    "[[expect]]\nexperiment = 'uniqueness'\nmeasure = 'min_distance'\nvalue = 1.952596\ntolerance = 1e-6\nsource = "
    "'closed form'\n"
    "where = { scheme = 'sinusoidal', layout = 'interleaved', base = 1e16, length = 8 }\n"
    "[[expect]]\nexperiment = 'relative-shift'\nmeasure = 'content_error'\nvalue = -1\ntolerance = 0\nwhere = { shift "
    "= 0.5 }\n"
    "[[expect]]\nexperiment = 'uniqueness'\nmeasure = 'min_distance'\nat_least = 0.5\nrepeats = 'mean'\n"
    "where = { scheme = 'rope', length = 8 }\nminus = { scheme = 'sinusoidal' }\n"
    "[[out_of_reach]]\nwhat = 'a'\npublished = '1'\nreason = 'too \"long\"'\n";

}  // namespace

TEST_CASE("a resolved study reads back as the same study") {
  const study::Study study = fake::parse(rich);
  const std::string resolved = study.resolved();
  INFO(resolved);
  REQUIRE(fake::mistakes(resolved) == "");
  const study::Study again = fake::parse(resolved);
  REQUIRE(again.resolved() == resolved);
  REQUIRE(again.hash() == study.hash());
  REQUIRE(again.title == study.title);
  const study::Plan one = fake::plan(rich), two = fake::plan(resolved);
  REQUIRE(fake::cells(one) == fake::cells(two));
  REQUIRE(one.cells.size() > 100);
  for (std::size_t i = 0; i < one.cells.size(); ++i) REQUIRE(one.cells[i].id == two.cells[i].id);
  REQUIRE(two.expectations.size() == 3);
  REQUIRE(two.expectations[0].where == one.expectations[0].where);
  REQUIRE(two.expectations[2].minus == one.expectations[2].minus);
  REQUIRE(two.expectations[2].gate == data::Gate::at_least);
  REQUIRE(two.expectations[2].repeats == data::OverRepeats::mean);
}

TEST_CASE("a resolved study writes out what was left out") {
  REQUIRE(fake::parse(fake::study_with("")).resolved() ==
          "format = 1\ntitle = \"t\"\nseed = 0\n\n[model]\nd_model = 128\nheads = 8\n\n[[scheme]]\nuse = "
          "\"rope\"\n\n[[experiment]]\n"
          "use = \"uniqueness\"\n[experiment.axes]\nlength = [128]\nkind = [\"position\"]\n");
}

TEST_CASE("the hash is of what a study says, not of how it is written") {
  const std::string hash = fake::parse(fake::study_with("")).hash();
  REQUIRE(hash.size() == 64);
  REQUIRE(fake::parse("# a comment\n" + fake::study_with("axes = { kind = 'position', length = [ 128 ] } # another"))
              .hash() == hash);
  REQUIRE(fake::parse(fake::study_with("axes = { length = 64 }")).hash() != hash);
  REQUIRE(fake::parse(fake::study_with("repeats = 1")).hash() != hash);
  const auto study = [](const std::string& axes) {
    return fake::parse(fake::study_with("[experiment.axes]\n" + axes)).hash();
  };
  REQUIRE(study("length = { pow2 = [3, 4] }\nheads = 8") == study("heads = [8]\nlength = [8, 16]"));
  const auto scheme = [](const std::string& set) {
    std::string text = fake::study_with("");
    return fake::parse(text.insert(text.find("[[experiment]]"), set + "\n")).hash();
  };
  REQUIRE(scheme("set = { style = 'half-split', base = 2 }") ==
          scheme("[scheme.set]\nbase = 2.0\nstyle = 'half-split'"));
  REQUIRE(scheme("set = { base = 2 }") != scheme("axes = { base = 2 }"));
  REQUIRE(study("length = [16, 8]") != study("length = [8, 16]"));
}

TEST_CASE("overrides are part of the resolved study") {
  const study::Overrides overrides{{{"length", "8,16"}, {"d_model", "128"}}, {"uniqueness", "rope"}};
  const std::string resolved = fake::parse(rich, overrides).resolved();
  INFO(resolved);
  REQUIRE(fake::cells(fake::plan(resolved)) == fake::cells(fake::plan(rich, overrides)));
}
