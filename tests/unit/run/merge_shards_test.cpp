// SPDX-License-Identifier: Apache-2.0
// What a merge refuses once its shards are read. What already stands at the output is looked at by the child of
// output_test.cpp, which answers what the file says.
#include "poslab/run/merge_shards.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/output.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

// The file of shard 1 of 2 of a plan of 5 cells, with 2 of them. `spoil` is called for the first cell when the writer
// has already seen of which experiment it is.
std::string write_shard(const check::Scratch& scratch, void (*spoil)(data::Cell&) = nullptr) {
  std::vector<data::Cell> cells(2);
  results::Description description;
  description.title = "made up";
  description.study_hash = "hash";
  description.complete = false;
  description.planned_cells = cells.size();
  description.experiments.emplace_back().id = "uniqueness";
  description.shard = results::ShardPart{{1, 2}, "0.1.0", "plan", 5, {}, {}, {}};
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].id = std::to_string(i);
    cells[i].experiment = "uniqueness";
    cells[i].axes = {{"d_model", std::int64_t{8}}, {"heads", std::int64_t{1}}};
    description.shard->cells.push_back(&cells[i]);
    description.shard->indices.push_back(2 * i);
    rows.push_back({&cells[i], [&cells, spoil] {
                      if (spoil) spoil(cells.front());
                      return data::Outcome{data::Status::failed, "made up", {}};
                    }});
  }
  results::write(scratch / "a.1-of-2.h5", description, rows, {});
  return scratch / "a.1-of-2.h5";
}

run::MergeResult merge(const check::Scratch& scratch, const std::string& shard) {
  const std::atomic<bool> never{false};
  run::MergeRequest request;
  request.files = {shard};
  request.output = scratch / "a.h5";
  request.options.partial = true;
  return run::merge_shards(
      request, [](const run::Mixture&) {}, never);
}

}  // namespace

TEST_CASE("merge: a part does not replace the whole, and how much it is of how much is told") {
  const check::Scratch scratch;
  const std::string shard = write_shard(scratch), output = scratch / "a.h5";
  std::ofstream(output) << "+hash";  // a whole study, says the child
  try {
    merge(scratch, shard);
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
  CHECK(merge(scratch, shard).planned == 5);
}

TEST_CASE("merge: a shard that does not describe the experiment of a cell is refused, and it is named") {
  const check::Scratch scratch;
  const std::string shard = write_shard(scratch, [](data::Cell& cell) { cell.experiment = "unheard-of"; });
  {
    const poslab::base::Error error = check::thrown([&] { merge(scratch, shard); });
    CHECK(error.kind == check::Kind::damaged);
    CHECK_THAT(error.what(), check::contains("\"unheard-of\""));
  }
  CHECK(!std::filesystem::exists(scratch / "a.h5"));
}
