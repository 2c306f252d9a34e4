// SPDX-License-Identifier: Apache-2.0
// The journals of shards, and what a merge makes of them.
#include "merge/shard_set.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "catch.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/results/compare.hpp"
#include "sample_directory.hpp"
#include "sample_shards.hpp"
#include "thrown.hpp"

using namespace poslab;
using run::MergeProblem;
using sample_shards::SampleShard, sample_shards::write_all;

namespace {

void write_merged(run::ShardSet& set, const sample::Run& run, const std::string& path) {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < set.cells().size(); ++i)
    rows.push_back({&set.cells()[i], [&set, i] { return set.outcome(i); }});
  results::write(path, run.description, rows, {run.expectations, run.answers});
}

std::vector<MergeProblem> problems_of(const std::vector<std::string>& names, run::MergeOptions options = {}) {
  try {
    run::ShardSet(names, options);
  } catch (const run::NotMergeable& refusal) {
    return refusal.problems;
  }
  return {};
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("shard: its journal says of every cell what it is and what became of it") {
  const sample::Run run = sample::make_run();
  const sample::Directory scratch;
  const SampleShard shard(run, 2, 3);
  shard.write(scratch / "a.h5", {1});
  journal::ShardJournal journal(scratch / "a.h5.journal");
  const journal::ShardRecord& record = journal.record;
  CHECK(record.shard == data::Shard{2, 3});
  CHECK(record.title == run.description.title);
  CHECK(record.study_hash == run.description.study_hash);
  CHECK(record.whole == run.cells.size());
  CHECK(record.poslab == "0.1.0");
  REQUIRE(record.experiments.size() == run.description.experiments.size());
  CHECK(data::pack(record.experiments[1]) == data::pack(run.description.experiments[1]));
  REQUIRE(record.schemes.size() == run.description.schemes.size());
  CHECK(record.schemes[0].file.empty());  // where a library lay is a fact of the machine
  CHECK(record.schemes[0].file_hash == run.description.schemes[0].file_hash);
  CHECK(record.expectations.size() == run.expectations.size());
  REQUIRE(record.indices == shard.record.indices);
  for (std::size_t i = 0; i < record.indices.size(); ++i) {
    const std::size_t index = record.indices[i];
    CHECK(data::pack(record.cells[i]) == data::pack(run.cells[index]));
    REQUIRE(journal.is_done(i) == (i != 1));
    if (i != 1) CHECK(data::pack(journal.outcome(i)) == data::pack(run.outcomes[index]));
  }
  journal.close();
  CHECK(!journal.is_open());
  CHECK(data::pack(journal.outcome(0)) == data::pack(run.outcomes[1]));
}

TEST_CASE("shard: a merge of any number of them equals the file of the whole run") {
  for (const sample::Run& run : {sample::make_run(), sample::make_grid_run()})
    for (const int count : {1, 2, 7, 60}) {
      const sample::Directory scratch;
      run.write(scratch / "whole.h5");
      std::vector<std::string> names = write_all(run, scratch.path(), count);
      std::reverse(names.begin(), names.end());
      run::ShardSet set(names, {});
      CHECK(set.shards().front()->journal.record.shard.index == 1);
      write_merged(set, run, scratch / "merged.h5");
      const results::Comparison comparison = results::compare_exact(scratch / "whole.h5", scratch / "merged.h5");
      for (const results::Difference& difference : comparison.differences)
        UNSCOPED_INFO(difference.where << difference.what);
      CHECK(comparison.equal());
      for (std::size_t i = 0; i < run.cells.size(); ++i)
        if (!run.cells[i].skip) CHECK(set.outcome(i).seconds == run.outcomes[i].seconds);
    }
}

TEST_CASE("shard: cells that did not run are named, and left out of a partial merge") {
  const sample::Run run = sample::make_run();
  const sample::Directory scratch;
  const SampleShard all(run, 1, 1);
  all.write(scratch / "half.h5", {3, run.cells.size() - 1});
  const auto problems = problems_of({scratch / "half.h5"});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].kind == MergeProblem::Kind::unfinished);
  CHECK(problems[0].cells.size() == 2);
  CHECK(problems[0].text.find("2 of its 45 cells") != std::string::npos);
  run::ShardSet partial({scratch / "half.h5"}, {false, true});
  CHECK(partial.cells().size() == run.cells.size() - 2);
  CHECK(data::pack(partial.outcome(3)) == data::pack(run.outcomes[4]));
  // The record of another journal completes it.
  all.write(scratch / "full.h5");
  CHECK(run::ShardSet({scratch / "half.h5", scratch / "full.h5.journal"}, {}).cells().size() == run.cells.size());
}

TEST_CASE("shard: what another process performs meanwhile does not enter a merge that has begun") {
  const sample::Run run = sample::make_run();
  const sample::Directory scratch;
  const SampleShard shard(run, 1, 1);
  shard.write(scratch / "a.h5");
  run::ShardSet set({scratch / "a.h5"}, {});
  {
    journal::Journal journal(scratch / "a.h5.journal");
    CHECK(problems_of({scratch / "a.h5"}).empty());  // it is locked, and finished
    data::Outcome another = run.outcomes[0];
    another.message = "another";
    journal.add(0, run.cells[0], data::PackedOutcome(another), {"another", "1", "1"});
  }
  CHECK_THROWS_WITH(set.outcome(0), check::contains("changed while it was read"));
  CHECK(data::pack(set.outcome(1)) == data::pack(run.outcomes[1]));
  const auto problems = problems_of({scratch / "a.h5"});  // by another file of the plugin, the first one counts no more
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].kind == MergeProblem::Kind::unfinished);
}

TEST_CASE("shard: what does not belong to most of them is refused, all at once") {
  const sample::Run run = sample::make_run();
  const sample::Directory scratch;
  const std::vector<std::string> good = write_all(run, scratch.path(), 4);
  const auto with = [&](const std::string& name, auto change) {
    SampleShard shard(run, 2, 4);
    change(shard.record);
    shard.write(scratch / name);
    return scratch / name;
  };
  using Kind = MergeProblem::Kind;
  const std::map<std::string, Kind> expected{
      {with("study", [](auto& r) { r.study_hash = std::string(64, 'f'); }), Kind::other_study},
      {with("count", [](auto& r) { r.shard.count = 5; }), Kind::other_count},
      {with("poslab", [](auto& r) { r.poslab = "0.2.0"; }), Kind::other_version},
      {with("experiment", [](auto& r) { r.experiments[0].version = "9"; }), Kind::other_version},
      {with("scheme", [](auto& r) { r.schemes[1].version = "9"; }), Kind::other_version},
      {with("declares", [](auto& r) { r.schemes[1].summary = "other"; }), Kind::other_version},
      {with("plan", [](auto& r) { r.plan_hash = "c"; }), Kind::other_plan},
      {with("plugin", [](auto& r) { r.schemes[1].file_hash = "c"; }), Kind::other_plugin},
      {scratch / "absent", Kind::unreadable}};
  std::vector<std::string> names;
  for (const auto& [name, kind] : expected) names.push_back(name);  // the odd ones first
  names.insert(names.end(), good.begin(), good.end());
  const auto problems = problems_of(names);
  CHECK(problems.size() == expected.size());
  for (const MergeProblem& problem : problems) {
    REQUIRE(expected.count(problem.file) == 1);
    CHECK(problem.kind == expected.at(problem.file));
  }
  std::vector<std::string> three = good;
  three.erase(three.begin() + 1);
  const auto missing = problems_of(three);
  REQUIRE(missing.size() == 2);
  CHECK(missing[0].kind == Kind::missing);
  CHECK(missing[0].shards == std::vector<int>{2});
  CHECK(missing[0].text.find("shard 2 of 4 is missing") != std::string::npos);
  REQUIRE(missing[0].to_run);
  CHECK(missing[0].to_run->shard == data::Shard{2, 4});
  CHECK(missing[1].text.find(good[1] + " is there, but not among the files given") != std::string::npos);
  three.push_back(scratch / "plugin");
  CHECK(problems_of(three).size() == 1);
  CHECK(problems_of(three, {true, false}).empty());
}

TEST_CASE("shard: journals of whole runs and of earlier versions are refused by name, with the way out") {
  const sample::Directory scratch;
  const auto written = [&](const char* shard) {
    {
      journal::Journal journal(scratch / "a.h5.journal", journal::Journal::Start::fresh);
      journal::JournalRun facts;
      facts.shard = shard;
      journal.begin(facts);
    }
    const auto problems = problems_of({scratch / "a.h5"});
    REQUIRE(problems.size() == 1);
    return problems[0];
  };
  CHECK(written("").kind == MergeProblem::Kind::no_shard);
  const MergeProblem earlier = written("1/2");
  CHECK(earlier.kind == MergeProblem::Kind::earlier);
  CHECK_THAT(earlier.text, check::contains("run that shard again with this poslab, which keeps what is done"));
}

TEST_CASE("shard: cells held twice must agree in every bit") {
  sample::Run run = sample::make_run();
  const sample::Directory scratch;
  std::vector<std::string> names = write_all(run, scratch.path(), 2);
  for (data::Outcome& outcome : run.outcomes) outcome.seconds += 1;
  SampleShard(run, 2, 2).write(scratch / "slower");
  names.push_back(scratch / "slower");
  CHECK(problems_of(names).empty());
  run.outcomes[3].message += "!";
  SampleShard(run, 2, 2).write(scratch / "other");
  names.push_back(scratch / "other");
  const auto problems = problems_of(names);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].kind == MergeProblem::Kind::contradiction);
  CHECK(problems[0].file == scratch / "other");
  CHECK(problems[0].other_file == names[1]);
  CHECK(problems[0].cells.size() == 1);
}

TEST_CASE("shard: texts of a journal reach a terminal without control characters") {
  const run::NotMergeable refusal({{MergeProblem::Kind::other_study, "a.h5", "title \x1b[2J\n\x7f"}});
  CHECK(std::string(refusal.what()).find('\x1b') == std::string::npos);
  CHECK(std::string(refusal.what()).find("a.h5: title \\u001B[2J\\u000A\\u007F") != std::string::npos);
}

TEST_CASE("shard: with flipped bits a journal is refused, or gives what it gave before") {
  const sample::Run run = sample::make_run();
  const sample::Directory scratch;
  SampleShard(run, 1, 1).write(scratch / "good.h5");
  const std::string bytes = bytes_of(scratch / "good.h5.journal"), bad = scratch / "bad.h5";
  int refused = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    std::string changed = bytes;
    const std::size_t bit = (round * 2654435761u) % (8 * bytes.size());
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(bad + ".journal", std::ios::binary) << changed;
    try {
      run::ShardSet set({bad}, {});
      REQUIRE(set.cells().size() == run.cells.size());
      for (std::size_t i = 0; i < set.cells().size(); ++i) {
        REQUIRE(data::pack(set.outcome(i)) == data::pack(run.outcomes[i]));
        REQUIRE(data::pack(set.cells()[i]) == data::pack(run.cells[i]));
      }
    } catch (const run::NotMergeable&) {
      ++refused;
    }
  }
  CHECK(refused > 30);
}

TEST_CASE("shard: a record that contradicts itself is refused") {
  const sample::Run run = sample::make_run();
  const sample::Directory scratch;
  const auto refusal_of = [&](auto change) {
    SampleShard shard(run, 1, 1);
    change(shard.record);
    return check::thrown([&] { journal::unpack_shard_record(journal::pack(shard.record)); });
  };
  CHECK_THAT(refusal_of([](auto& r) { r.shard.index = 2; }).what(), check::contains("its index is out of range"));
  CHECK_THAT(refusal_of([](auto& r) { r.indices.pop_back(); }).what(), check::contains("cells and indices differ"));
  CHECK_THAT(refusal_of([](auto& r) { r.indices[0] = 1; }).what(), check::contains("do not increase"));
  CHECK_THAT(refusal_of([](auto& r) { r.whole = 3; }).what(), check::contains("lie outside of it"));
  CHECK_THAT(refusal_of([](auto& r) { r.experiments.clear(); }).what(), check::contains("\"uniqueness\""));
  CHECK_THAT(refusal_of([](auto& r) { r.schemes.clear(); }).what(), check::contains("\"none\""));
  const std::string good = journal::pack(SampleShard(run, 1, 1).record);
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 50) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    CHECK_THROWS_AS(journal::unpack_shard_record(bad), data::NotPacked);
    CHECK_THROWS_AS(journal::unpack_shard_record(good.substr(0, at)), data::NotPacked);
  }
}

TEST_CASE("shard: a record of another cell's measures is refused, though its checksum is right") {
  sample::Run run = sample::make_run();
  const sample::Directory scratch;
  run.outcomes[0].record.scalar("made_up_measure", 1);
  SampleShard(run, 1, 1).write(scratch / "a.h5");
  run::ShardSet set({scratch / "a.h5"}, {});
  CHECK_THROWS_WITH(set.outcome(0), check::contains("does not measure \"made_up_measure\""));
}
