// SPDX-License-Identifier: Apache-2.0
// Files of shards, and what a merge makes of them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "catch.hpp"
#include "h5/attribute.hpp"
#include "merge/shard_file.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/results/merge.hpp"
#include "read/results_file.hpp"
#include "sample.hpp"

using namespace poslab;
using results::MergeProblem;

namespace {

// Every count-th cell of a run, beginning at index.
struct SampleShard {
  SampleShard(const sample::Run& run, int index, int count) : description(run.description) {
    results::ShardPart part{{index, count}, "0.1.0", std::string(64, 'b'), run.cells.size(), {}, {}, {}};
    for (const auto& expectation : run.expectations) part.expectations.push_back(expectation.expectation);
    const auto all = run.rows();
    for (auto i = static_cast<std::size_t>(index - 1); i < run.cells.size(); i += static_cast<std::size_t>(count)) {
      part.cells.push_back(&run.cells[i]);
      part.indices.push_back(i);
      rows.push_back(all[i]);
    }
    description.planned_cells = rows.size();
    description.shard = part;
  }
  void write(const std::string& path) const { results::write(path, description, rows, {}); }
  results::Description description;
  std::vector<results::Row> rows;
};

std::vector<std::string> write_all(const sample::Run& run, const sample::Directory& directory, int count) {
  std::vector<std::string> paths;
  for (int index = 1; index <= count; ++index) {
    paths.push_back(directory / ("s" + std::to_string(index) + ".h5"));
    SampleShard(run, index, count).write(paths.back());
  }
  return paths;
}

void write_merged(const results::Merge& merge, const sample::Run& run, const std::string& path) {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < merge.cells.size(); ++i)
    rows.push_back({&merge.cells[i], [&merge, i] { return merge.outcome(i); }});
  results::write(path, merge.description, rows, {run.expectations, run.answers});
}

std::vector<MergeProblem> problems_of(const std::vector<std::string>& files, results::MergeOptions options = {}) {
  try {
    results::Merge(files, options);
  } catch (const results::NotMergeable& refusal) {
    return refusal.problems;
  }
  return {};
}

}  // namespace

TEST_CASE("shard: its file says of every cell what it is and what became of it") {
  const sample::Run run = sample::make_run();
  const sample::Directory directory;
  const SampleShard shard(run, 2, 3);
  shard.write(directory / "a.h5");
  results::ShardFile file(directory / "a.h5");
  CHECK(file.shard == data::Shard{2, 3});
  CHECK(file.title == run.description.title);
  CHECK(file.study_hash == run.description.study_hash);
  CHECK(file.whole == run.cells.size());
  CHECK(file.poslab_version == "0.1.0");
  REQUIRE(file.experiments.size() == run.description.experiments.size());
  CHECK(data::pack(file.experiments[1]) == data::pack(run.description.experiments[1]));
  REQUIRE(file.schemes.size() == run.description.schemes.size());
  CHECK(file.schemes[0].file.empty());  // where a library lay is a fact of the machine
  CHECK(file.schemes[0].file_hash == run.description.schemes[0].file_hash);
  REQUIRE(file.expectations.size() == run.expectations.size());
  REQUIRE(file.indices.size() == shard.rows.size());
  for (std::size_t i = 0; i < file.indices.size(); ++i) {
    const std::size_t index = file.indices[i];
    CHECK(index == 1 + 3 * i);
    CHECK(data::pack(file.cells[i]) == data::pack(run.cells[index]));
    REQUIRE(file.finished(i));
    CHECK(data::pack(file.outcome(i)) == data::pack(run.outcomes[index]));
  }
  file.close();
  CHECK(file.is_closed());
  CHECK(data::pack(file.outcome(0)) == data::pack(run.outcomes[1]));
}

TEST_CASE("shard: a merge of any number of them equals the file of the whole run") {
  for (const sample::Run& run : {sample::make_run(), sample::make_grid_run()})
    for (const int count : {1, 2, 7, 60}) {
      const sample::Directory directory;
      run.write(directory / "whole.h5");
      std::vector<std::string> paths = write_all(run, directory, count);
      std::reverse(paths.begin(), paths.end());
      const results::Merge merge(paths, {});
      CHECK(merge.sources().front().shard.index == 1);
      write_merged(merge, run, directory / "merged.h5");
      const results::Comparison comparison = results::compare_exact(directory / "whole.h5", directory / "merged.h5");
      for (const results::Difference& difference : comparison.differences)
        UNSCOPED_INFO(difference.where << difference.what);
      CHECK(comparison.equal());
      const auto seconds = [&](const char* name) {
        const auto file = results::open_results(directory / name);
        return results::numbers(results::h5::open_group(file, "provenance"), "seconds");
      };
      CHECK(seconds("whole.h5") == seconds("merged.h5"));
    }
}

TEST_CASE("shard: files say nothing of the machine outside provenance") {
  sample::Run run = sample::make_run();
  const sample::Directory directory;
  SampleShard(run, 1, 2).write(directory / "a.h5");
  for (data::Outcome& outcome : run.outcomes) outcome.seconds += 1;
  for (data::SchemeInfo& scheme : run.description.schemes) scheme.file = "/elsewhere";
  SampleShard(run, 1, 2).write(directory / "b.h5");
  CHECK(results::compare_exact(directory / "a.h5", directory / "b.h5").equal());
}

TEST_CASE("shard: cells that did not run are named, and left out of a partial merge") {
  const sample::Run run = sample::make_run();
  const sample::Directory directory;
  SampleShard half(run, 1, 1);
  half.rows.erase(half.rows.begin() + 3);
  half.rows.pop_back();
  half.write(directory / "half.h5");
  const auto problems = problems_of({directory / "half.h5"});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].kind == MergeProblem::Kind::unfinished);
  CHECK(problems[0].cells.size() == 2);
  CHECK(problems[0].text.find("2 of its 45 cells") != std::string::npos);
  const results::Merge partial({directory / "half.h5"}, {false, true});
  CHECK(partial.cells.size() == run.cells.size() - 2);
  CHECK(!partial.description.complete);
  CHECK(partial.description.planned_cells == run.cells.size());
  CHECK(data::pack(partial.outcome(3)) == data::pack(run.outcomes[4]));
  // The record of another file completes it.
  SampleShard(run, 1, 1).write(directory / "full.h5");
  CHECK(results::Merge({directory / "half.h5", directory / "full.h5"}, {}).cells.size() == run.cells.size());
}

TEST_CASE("shard: what does not belong to most of the files is refused, all at once") {
  const sample::Run run = sample::make_run();
  const sample::Directory directory;
  const std::vector<std::string> good = write_all(run, directory, 4);
  const auto with = [&](const std::string& name, auto change) {
    SampleShard shard(run, 2, 4);
    change(shard.description);
    shard.write(directory / name);
    return directory / name;
  };
  using Kind = MergeProblem::Kind;
  const std::map<std::string, Kind> expected{
      {with("study", [](auto& d) { d.study_hash = std::string(64, 'f'); }), Kind::other_study},
      {with("count", [](auto& d) { d.shard->shard.count = 5; }), Kind::other_count},
      {with("poslab", [](auto& d) { d.shard->poslab_version = "0.2.0"; }), Kind::other_version},
      {with("experiment", [](auto& d) { d.experiments[0].version = "9"; }), Kind::other_version},
      {with("scheme", [](auto& d) { d.schemes[1].version = "9"; }), Kind::other_version},
      {with("declares", [](auto& d) { d.schemes[1].summary = "other"; }), Kind::other_version},
      {with("plan", [](auto& d) { d.shard->plan_hash = "c"; }), Kind::other_plan},
      {with("plugin", [](auto& d) { d.schemes[1].file_hash = "c"; }), Kind::other_plugin},
      {directory / "absent", Kind::unreadable}};
  std::vector<std::string> files;
  for (const auto& [file, kind] : expected) files.push_back(file);  // the odd ones first
  files.insert(files.end(), good.begin(), good.end());
  const auto problems = problems_of(files);
  CHECK(problems.size() == expected.size());
  for (const MergeProblem& problem : problems) {
    REQUIRE(expected.count(problem.file) == 1);
    CHECK(problem.kind == expected.at(problem.file));
  }
  std::vector<std::string> three = good;
  three.erase(three.begin() + 1);
  const auto missing = problems_of(three);
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].kind == Kind::missing);
  CHECK(missing[0].shards == std::vector<int>{2});
  CHECK(missing[0].text.find("shard 2 of 4 is missing") != std::string::npos);
  REQUIRE(missing[0].to_run);
  CHECK(missing[0].to_run->shard == data::Shard{2, 4});
  three.push_back(directory / "plugin");
  CHECK(problems_of(three).size() == 1);
  CHECK(problems_of(three, {true, false}).empty());
  run.write(directory / "whole");
  const auto whole = problems_of({directory / "whole"});
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].kind == Kind::no_shard);
}

TEST_CASE("shard: cells held twice must agree in every bit") {
  sample::Run run = sample::make_run();
  const sample::Directory directory;
  std::vector<std::string> files = write_all(run, directory, 2);
  for (data::Outcome& outcome : run.outcomes) outcome.seconds += 1;
  SampleShard(run, 2, 2).write(directory / "slower");
  files.push_back(directory / "slower");
  CHECK(problems_of(files).empty());
  run.outcomes[3].message += "!";
  SampleShard(run, 2, 2).write(directory / "other");
  files.push_back(directory / "other");
  const auto problems = problems_of(files);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].kind == MergeProblem::Kind::contradiction);
  CHECK(problems[0].file == directory / "other");
  CHECK(problems[0].other_file == files[1]);
  CHECK(problems[0].cells.size() == 1);
}

TEST_CASE("shard: texts of a file reach a terminal without control characters") {
  const results::NotMergeable refusal({{MergeProblem::Kind::other_study, "a.h5", "title \x1b[2J\n\x7f"}});
  CHECK(std::string(refusal.what()).find('\x1b') == std::string::npos);
  CHECK(std::string(refusal.what()).find("a.h5: title \\u001B[2J\\u000A\\u007F") != std::string::npos);
}

TEST_CASE("shard: a file that changes while it is merged is refused") {
  const sample::Run run = sample::make_run();
  const sample::Directory directory;
  const std::string path = directory / "a.h5";
  SampleShard(run, 1, 1).write(path);
  const results::Merge merge({path}, {});
  SampleShard(run, 1, 1).write(path);
  CHECK_THROWS_WITH(merge.outcome(0), check::contains("changed while it was read"));
}

TEST_CASE("shard: a file that promises more than it holds is refused before memory is allocated") {
  const sample::Run run = sample::make_run();
  const sample::Directory directory;
  const std::string path = directory / "a.h5";
  SampleShard(run, 1, 1).write(path);
  {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "shard/cells_end", H5P_DEFAULT);
    const hsize_t enormous = hsize_t{1} << 50, chunk = 1024;
    const hid_t space = H5Screate_simple(1, &enormous, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &chunk);
    const hid_t dataset = H5Dcreate2(file, "shard/cells_end", H5T_STD_U64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    REQUIRE(dataset >= 0);
    H5Dclose(dataset), H5Pclose(list), H5Sclose(space), H5Fclose(file);
  }
  CHECK_THROWS_AS(results::ShardFile(path), base::FileError);
}

TEST_CASE("shard: with flipped bits a file without a seal is refused, or gives what it gave before") {
  const sample::Run run = sample::make_run();
  const sample::Directory directory;
  const std::string good = directory / "good.h5", bad = directory / "bad.h5";
  SampleShard(run, 1, 1).write(good);
  std::ifstream in(good, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  bytes.resize(bytes.size() - 80);  // without the checksum over all of it: the records have their own
  int refused = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    std::string changed = bytes;
    const std::size_t bit = (round * 2654435761u) % (8 * bytes.size());
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(bad, std::ios::binary) << changed;
    try {
      const results::Merge merge({bad}, {});
      REQUIRE(merge.cells.size() == run.cells.size());
      for (std::size_t i = 0; i < merge.cells.size(); ++i) {
        data::Outcome outcome = merge.outcome(i);
        outcome.seconds = run.outcomes[i].seconds;  // these have no checksum
        REQUIRE(data::pack(outcome) == data::pack(run.outcomes[i]));
        REQUIRE(data::pack(merge.cells[i]) == data::pack(run.cells[i]));
      }
    } catch (const results::NotMergeable&) {
      ++refused;
    }
  }
  CHECK(refused > 30);
}

TEST_CASE("shards: for how many answers marks are corrected comes from them, and stands at the experiment") {
  sample::Run run = sample::make_run();
  const sample::Directory directory;
  const std::string id = run.description.experiments.front().id;
  run.description.families = {{id, 77}};
  const std::vector<std::string> paths = write_all(run, directory, 3);
  const results::Merge merge(paths, {});
  CHECK(merge.description.families == data::Families{{id, 77}});
  write_merged(merge, run, directory / "merged.h5");
  for (const std::string& path : {paths.front(), directory / "merged.h5"}) {
    const results::h5::Handle file = results::open_results(path);
    CHECK(results::h5::number_attribute(results::h5::open_group(file, id.c_str()).id(), "answers_in_study") == 77);
  }
}
