// SPDX-License-Identifier: Apache-2.0
// Exit codes: of status, and of a command that runs several studies.
#include "commands/exit_code.hpp"

#include <utility>

#include "catch.hpp"
#include "commands/texts.hpp"

using namespace poslab;

namespace {

run::PartitionStatus finished_with(std::int64_t ok, std::int64_t failed) {
  run::PartitionStatus one;
  one.partition.output = "a.h5";
  journal::JournalStatus status;
  status.planned = ok + failed, status.ok = ok, status.failed = failed, status.begun = true;
  one.journals.push_back({"a.h5.journal", status});
  return one;
}

}  // namespace

TEST_CASE("the exit code of status: unreadable before unfinished before failed") {
  std::vector<run::PartitionStatus> all{finished_with(3, 0)};
  CHECK(app::exit_code(all) == app::all_well);
  all.push_back(finished_with(3, 1));
  CHECK(app::exit_code(all) == app::cells_failed);
  all.back().partition.missing = {2};
  CHECK(app::exit_code(all) == app::unfinished);
  all.back().unreadable.push_back({"b.journal", "b.journal: there is no such journal"});
  CHECK(app::exit_code(all) == app::wrong_input);
  CHECK(app::unreadable_text(all) == "poslab: b.journal: there is no such journal\n");
}

TEST_CASE("partitions of one output have no common sum") {
  std::vector<run::PartitionStatus> all{finished_with(3, 0), finished_with(3, 0)};
  CHECK(app::status_document(all, 80).json()["sum"].is_null());
  CHECK_THAT(app::status_document(all, 80).text(), check::contains("a.h5 was begun in several ways"));
  all.back().partition.output = "b.h5";
  CHECK(app::status_document(all, 80).json()["sum"]["planned"] == 6);
  CHECK(run::counts_of(all).ok == 6);
}

TEST_CASE("the state of a journal has an id and its numbers") {
  std::vector<run::PartitionStatus> all{finished_with(3, 1)};
  journal::JournalStatus& status = all.front().journals.front().status;
  const auto state = [&all] { return app::status_document(all, 80).json()["journals"][0]["state"]; };
  CHECK(state() == base::Json{{"id", "complete"}, {"sentence", "complete"}});
  status.planned = 10;
  CHECK(state()["id"] == "stopped");
  status.writer = "process 7 on node3", status.rate = 0.5;
  CHECK(state() ==
        base::Json{{"id", "running"},
                   {"cells_per_second", 0.5},
                   {"seconds_left", 12.0},
                   {"sentence", "written by process 7 on node3, 0.5 cells/s, 12 s left if they go on like this"}});
  CHECK_THAT(app::status_document(all, 80).text(), check::contains("a.h5.journal: written by process 7 on node3, 0.5"));
  status.begun = false;
  CHECK(state()["id"] == "planned");
  status.writer.clear();
  CHECK(state()["id"] == "not-begun");
}

TEST_CASE("series: the worst exit code counts, whatever comes after it") {
  app::Series series;
  series.add(run::Ending::complete, true, false);
  CHECK(series.exit == app::all_well);
  series.add(run::Ending::cells_failed, true, false);
  series.add(run::Ending::expectation_failed, true, false);
  CHECK(series.exit == app::cells_failed);
  CHECK(series.goes_on);
  series.add(run::Ending::complete, false, false);
  CHECK(series.exit == app::cells_failed);
}

TEST_CASE("series: a study that stops with cells left is the last") {
  for (const run::Ending ending :
       {run::Ending::not_written, run::Ending::stopped_at_failure, run::Ending::interrupted}) {
    app::Series series;
    series.add(ending, true, false);
    CHECK(series.exit == app::exit_code(ending));
    CHECK(!series.goes_on);
  }
}

TEST_CASE("series: a study that cannot be performed is the last, and its error is the exit code") {
  for (const auto& [kind, code] :
       {std::pair{base::Error::Kind::file, app::wrong_input}, std::pair{base::Error::Kind::busy, app::busy},
        std::pair{base::Error::Kind::disk, app::unfinished}}) {
    app::Series series;
    series.add(run::Ending::cells_failed, true, false);
    series.fail(kind);
    CHECK(series.exit == code);
    CHECK(!series.goes_on);
  }
}

TEST_CASE("series: --fail-fast after a failed cell leaves studies, which is not what 3 says") {
  app::Series series{true};
  series.add(run::Ending::expectation_failed, true, false);
  CHECK(series.goes_on);
  series.add(run::Ending::cells_failed, true, false);
  CHECK(series.exit == app::unfinished);
  CHECK(!series.goes_on);
  app::Series last{true};
  last.add(run::Ending::cells_failed, false, false);  // nothing is left
  CHECK(last.exit == app::cells_failed);
}

TEST_CASE("series: the end asked for between two studies interrupts, after the last it does not") {
  app::Series series;
  series.add(run::Ending::complete, true, true);
  CHECK(series.exit == app::interrupted);
  CHECK(!series.goes_on);
  app::Series last;
  last.add(run::Ending::complete, false, true);
  CHECK(last.exit == app::all_well);
}
