// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/exit_code.hpp"

#include "catch.hpp"
#include "poslab/app/text/status_text.hpp"

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

TEST_CASE("a run's ending has an exit code of its own") {
  CHECK(app::exit_code(run::Ending::complete) == 0);
  CHECK(app::exit_code(run::Ending::expectation_failed) == 1);
  CHECK(app::exit_code(run::Ending::cells_failed) == 3);
  CHECK(app::exit_code(run::Ending::stopped_at_failure) == 4);
  CHECK(app::exit_code(run::Ending::not_written) == 4);
  CHECK(app::exit_code(run::Ending::interrupted) == 130);
}

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
  CHECK_THAT(app::status_json(all), check::contains("\"sum\": null"));
  CHECK_THAT(app::status_text(all, 80), check::contains("a.h5 was begun in several ways"));
  all.back().partition.output = "b.h5";
  CHECK_THAT(app::status_json(all), check::contains("\"planned\": 6"));
  CHECK(run::counts_of(all).ok == 6);
}
