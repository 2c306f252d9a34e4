// SPDX-License-Identifier: Apache-2.0
// Why cells have to run.
#include "poslab/journal/resume_plan.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "studies.hpp"

using namespace journals;
using data::Status;
using journal::CellState;
using journal::KnownCell;

namespace {

using Known = std::unordered_map<std::string, KnownCell>;

KnownCell known(int repeat, Status status, const journal::Origin& origin = current, std::uint64_t seed = 7) {
  return {repeat, status, origin, journal::question_of(planned(repeat)), seed, false};
}

std::string sentence_of(const Known& content, const data::Catalogue& catalogue, const data::Cell& cell) {
  const journal::ResumePlan plan(content, catalogue);
  return plan.sentence(cell, plan.of(cell));
}

}  // namespace

TEST_CASE("resume plan: a cell is kept only if it succeeded with the same plugin file, seed and versions") {
  const data::Catalogue catalogue = small_catalogue();
  Known content{{"cell-0", known(0, Status::ok)},
                {"cell-1", known(1, Status::failed)},
                {"cell-2", known(2, Status::crashed)},
                {"cell-3", known(3, Status::timeout)},
                {"cell-4", known(4, Status::ok, {"then", "1.0", "2.0"})},
                {"other-5", known(5, Status::ok, {"now", "0.9", "2.0"})},
                {"other-6", known(6, Status::ok, {"now", "1.0", "1.9"})},
                {"other-7", known(7, Status::ok, current, 8)},
                {"cell-9", known(9, Status::ok)}};
  content.at("cell-9").damaged = true;
  std::vector<data::Cell> cells;
  for (int i = 0; i < 11; ++i) cells.push_back(planned(i));
  cells[10].skip = "too long";
  const journal::ResumePlan plan(content, catalogue);
  CHECK(plan.of(cells) == std::vector<CellState>{CellState::kept, CellState::failed_before, CellState::crashed_before,
                                                 CellState::timed_out_before, CellState::plugin_changed,
                                                 CellState::experiment_changed, CellState::scheme_changed,
                                                 CellState::seed_changed, CellState::fresh, CellState::damaged,
                                                 CellState::fresh});
  CHECK(plan.sentence(cells[0], plan.of(cells[0])) == "kept");
  CHECK(plan.sentence(cells[4], plan.of(cells[4])) == "plugin changed: now, done with then");
  CHECK(plan.sentence(cells[5], plan.of(cells[5])) == "experiment version changed: 1.0, done with 0.9");
  CHECK(plan.sentence(cells[6], plan.of(cells[6])) == "scheme version changed: 2.0, done with 1.9");
  CHECK(plan.sentence(cells[7], plan.of(cells[7])) == "seed changed: 7, done with 8");
  CHECK(plan.sentence(cells[8], plan.of(cells[8])) == "new");
  CHECK(plan.sentence(cells[9], plan.of(cells[9])) == "record damaged");
}

TEST_CASE("resume plan: of several cells that ask the same, the one with the fewest differences is named") {
  const data::Catalogue catalogue = small_catalogue();
  const KnownCell far = known(1, Status::ok, {"now", "0.9", "1.9"}, 8), near = known(1, Status::ok, current, 8);
  CHECK(journal::ResumePlan(Known{{"a", far}, {"b", near}}, catalogue).of(planned(1)) == CellState::seed_changed);
  const Known only_far{{"a", far}};
  CHECK(sentence_of(only_far, catalogue, planned(1)) ==
        "experiment version changed: 1.0, done with 0.9; scheme version changed: 2.0, done with 1.9; seed changed: 7, "
        "done with 8");
}

TEST_CASE("resume plan: of cells that differ as much, the latest is named") {
  const data::Catalogue catalogue = small_catalogue();
  KnownCell older = known(1, Status::ok, current, 8), later = known(1, Status::ok, current, 9);
  older.number = 4, later.number = 5;
  const Known content{{"a", older}, {"b", later}};
  CHECK(sentence_of(content, catalogue, planned(1)) == "seed changed: 7, done with 9");
}

TEST_CASE("resume plan: a damaged record says nothing about other cells that ask the same") {
  const data::Catalogue catalogue = small_catalogue();
  KnownCell damaged = known(1, Status::ok, current, 8);
  damaged.damaged = true;
  const Known content{{"a", damaged}};
  CHECK(journal::ResumePlan(content, catalogue).of(planned(1)) == CellState::fresh);
}

TEST_CASE("resume plan: a cell whose scheme is not there any more is not kept") {
  const data::Catalogue nothing;
  const Known content{{"cell-1", known(1, Status::ok)}};
  CHECK(journal::ResumePlan(content, nothing).of(planned(1)) == CellState::plugin_changed);
}
