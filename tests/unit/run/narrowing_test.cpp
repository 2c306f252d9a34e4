// SPDX-License-Identifier: Apache-2.0
// What runs with --only have left in a results file.
#include "poslab/run/narrowing.hpp"

#include <fstream>

#include "catch.hpp"
#include "poslab/journal/journal.hpp"
#include "scratch.hpp"

using namespace poslab;

namespace {

using Ids = std::vector<std::string>;

data::Catalogue three_and_two() {
  data::Catalogue catalogue;
  for (const char* id : {"none", "rope", "alibi"}) {
    catalogue.schemes.emplace_back().id = id;
    catalogue.schemes.back().version = "1";
  }
  for (const char* id : {"first", "second"}) {
    data::ExperimentInfo& experiment = catalogue.experiments.emplace_back();
    experiment.id = id, experiment.version = "1";
    experiment.axes.emplace_back().name = "length";
    experiment.axes.back().default_value = 8.0;
  }
  return catalogue;
}

std::string study_of(const std::string& lengths) {
  std::string text = "format = 1\ntitle = 't'\n";
  for (const char* id : {"none", "rope", "alibi"}) text += "[[scheme]]\nuse = '" + std::string(id) + "'\n";
  for (const char* id : {"first", "second"})
    text += "[[experiment]]\nuse = '" + std::string(id) + "'\naxes = { length = " + lengths + " }\n";
  return text;
}

// A study, and a results file that a run with these words has left beside its journal.
struct Left {
  explicit Left(const Ids& only, const std::string& lengths = "[8]") : Left(study::Overrides{{}, only}, lengths) {}
  explicit Left(const study::Overrides& overrides, const std::string& lengths = "[8]") {
    std::ofstream(study) << study_of("[8]");
    const study::Study before = study::parse_study(study_of(lengths), study, three_and_two(), overrides);
    std::ofstream(output) << "results";
    journal::JournalRun run;
    run.title = before.title, run.study_hash = before.hash(), run.study_path = study;
    run.resolved_study = before.resolved();
    journal::Journal journal(journal::Journal::beside(output), journal::Journal::Start::resume);
    journal.begin(run);
    journal.commit();
  }
  Ids asked(const Ids& only) const { return asked(study::Overrides{{}, only}); }
  Ids asked(const study::Overrides& overrides) const {
    return run::earlier_only(study, overrides, output, three_and_two());
  }
  const check::Scratch scratch;
  const std::string study = scratch / "s.toml", output = scratch / "s.h5";
};

}  // namespace

TEST_CASE("narrowing: schemes, or experiments, of earlier runs with --only stay") {
  CHECK(Left(Ids{"none"}).asked({"rope"}) == Ids{"none"});
  CHECK(Left(Ids{"none", "alibi"}).asked({"rope", "alibi"}) == Ids{"none"});
  CHECK(Left(Ids{"none", "first"}).asked({"rope", "first"}) == Ids{"none"});
  CHECK(Left(Ids{"first"}).asked({"second"}) == Ids{"first"});
  CHECK(Left(Ids{"none"}).asked({"none"}).empty());
}

TEST_CASE("narrowing: never more than anybody has asked for") {
  CHECK(Left(Ids{"none"}).asked({"second"}).empty());  // none of both and all of one would be all of both
  CHECK(Left(Ids{"none", "first"}).asked({"rope", "second"}).empty());
  CHECK(Left(Ids{}).asked({"rope"}).empty());  // the whole study: a narrower run, which is told
  CHECK(Left(Ids{"none"}).asked(Ids{}).empty());
  CHECK(Left(Ids{"none"}).asked(study::Overrides{{}, {"rope"}, false, {{"length", "8"}}}).empty());
}

TEST_CASE("narrowing: only of the same study, at the same axes, where its results are") {
  CHECK(Left(Ids{"none"}, "[9]").asked({"rope"}).empty());
  CHECK(Left(study::Overrides{{{"length", "16"}}, {"none"}}).asked({"rope"}).empty());
  CHECK(Left(study::Overrides{{{"length", "16"}}, {"none"}}).asked(study::Overrides{{{"length", "16"}}, {"rope"}}) ==
        Ids{"none"});
  const Left gone(Ids{"none"});
  std::filesystem::remove(gone.output);
  CHECK(gone.asked({"rope"}).empty());
  CHECK_THROWS_AS(Left(Ids{"none"}).asked({"ropee"}), study::StudyErrors);
}
