// SPDX-License-Identifier: Apache-2.0
// What a merge refuses once its shards are read. What already stands at the output is looked at by the child of
// output_test.cpp, which answers what the file says.
#include "poslab/run/merge_shards.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "merge/merge_provenance.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/journal/shard_journal.hpp"
#include "poslab/run/output.hpp"
#include "scratch.hpp"

using namespace poslab;

namespace {

// Shard 1 of 2 of a plan of 5 cells, with 2 of them; by the name beside which its journal lies.
std::string write_shard(const check::Scratch& scratch, int index = 1) {
  const std::string name = scratch / ("a." + std::to_string(index) + "-of-2.h5");
  journal::ShardRecord record{{index, 2}, "made up", "hash", "0.1.0", "plan", 5};
  record.experiments.emplace_back().id = "uniqueness";
  record.schemes.emplace_back().id = "none";
  record.provenance = {{"git_commit", "abc"},
                       {"supply", R"([{"name":"text"},7])"},
                       {"plugin_checks", "[[["},  // may be anybody's words
                       {"command_line", R"(["poslab","run"])"}};
  for (std::size_t i = 0; i < 2; ++i) {
    data::Cell& cell = record.cells.emplace_back();
    cell.id = std::to_string(index) + std::to_string(i);
    cell.experiment = "uniqueness";
    cell.variant.scheme = cell.variant.label = "none";
    cell.axes = {{"d_model", std::int64_t{8}}, {"heads", std::int64_t{1}}};
    record.indices.push_back(2 * i + static_cast<std::size_t>(index) - 1);
  }
  journal::Journal journal(name + ".journal");
  journal::JournalRun facts;
  facts.build = {"0.1.0", index == 1 ? "abc" : "def"};
  facts.shard_record = journal::pack(record);
  journal.begin(facts);
  for (const data::Cell& cell : record.cells)
    journal.add(0, cell, data::PackedOutcome(data::Outcome{data::Status::failed, "made up", {}}), {});
  return name;
}

run::MergeResult merge(
    const check::Scratch& scratch, const std::vector<std::string>& shards,
    const std::function<void(const run::Mixture&)>& differences = [](const run::Mixture&) {}) {
  const std::atomic<bool> never{false};
  run::MergeRequest request;
  request.shards = shards;
  request.output = scratch / "a.h5";
  request.options.partial = true;
  return run::merge_shards(request, differences, never);
}

}  // namespace

TEST_CASE("merge: a part does not replace the whole, and how much it is of how much is told") {
  const check::Scratch scratch;
  const std::string shard = write_shard(scratch), output = scratch / "a.h5";
  std::ofstream(output) << "+hash";  // a whole study, says the child
  try {
    merge(scratch, {shard});
    FAIL("it must throw");
  } catch (const run::OutputTaken& taken) {
    CHECK(taken.by == run::OutputTaken::By::whole_study);
    CHECK(taken.given == 2);
    CHECK(taken.planned == 5);
    CHECK(std::string(taken.what()) ==
          output +
              ": holds all cells of this study, and these shards only 2 of its 5; choose another file with -o, or "
              "replace it with --fresh");
  }
  std::ofstream(output) << "-hash";  // a part, too
  CHECK(merge(scratch, {shard}).planned == 5);
}

TEST_CASE("merge: builds and what was given are those of all shards") {
  const check::Scratch scratch;
  const std::vector<std::string> shards{write_shard(scratch), write_shard(scratch, 2)};
  run::Mixture mixture;
  merge(scratch, shards, [&](const run::Mixture& told) { mixture = told; });
  CHECK(mixture.commits == std::set<std::string>{"abc", "def"});
  CHECK(mixture.processors == std::set<std::string>{base::processor_name()});
  const run::ShardSet set(shards, {false, true});
  const run::MergedFacts facts(set.shards());
  CHECK(facts.supply == R"([{"name":"text"},7])");
  REQUIRE(facts.builds.size() == 2);
  CHECK(facts.builds[1].build == journal::Build{"0.1.0", "def"});
  CHECK(facts.builds[1].cells == 2);
  CHECK(facts.builds[1].variants == std::set<std::string>{"none"});
}

TEST_CASE("merge: what lies where a shard is takes no results") {
  const check::Scratch scratch;
  const std::string shard = write_shard(scratch);
  run::MergeRequest request;
  request.shards = {shard};
  const std::atomic<bool> never{false};
  for (const std::string& output : {shard, shard + ".journal"}) {
    request.output = output;
    CHECK_THROWS_WITH(run::merge_shards(
                          request, [](const run::Mixture&) {}, never),
                      check::contains("is one of the shards"));
  }
}
