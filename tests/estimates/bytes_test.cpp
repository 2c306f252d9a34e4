// SPDX-License-Identifier: Apache-2.0
// Estimated memory against what is taken: what a cell has from the heap at its peak, by whatever way, beside what its
// forecast says, within a factor of two either way. Nothing is decided by less than 1 MiB: a worker that does nothing
// has thirty times as much.
// On one thread both bounds hold. On several, what each of them works on counts for as many as there are; whether they
// are at it at the same moment is up to the system, so that only the lower bound can be held.
// What is kept for the cells of other schemes (experiment/common_work.hpp) is in no cell's forecast: here a cell works
// it out by itself, which counts, and nobody keeps it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these have an allocator of their own
#include <algorithm>
#include <vector>

#include "cases.hpp"
#include "catch.hpp"
#include "measured.hpp"

using namespace poslab;

namespace {

constexpr double floor_of_all = 1 << 20;

double over_floor(double bytes) { return std::max(bytes, floor_of_all); }

void hold(const experiments::Experiment& experiment) {
  int measured_cells = 0;
  std::size_t place = 0;
  for (const cases::Scheme& scheme : cases::schemes()) {
    const bool all_axes = place++ < cases::varied;
    for (const auto& [cell, changed] : cases::cells(experiment, scheme, cases::Size::large, 2, all_axes)) {
      CAPTURE(cases::text(cell));
      const auto alone = measured::needs(cell);
      if (!alone) continue;
      ++measured_cells;
      CHECK(over_floor(alone->estimate.bytes) <= 2 * over_floor(alone->peak));
      CHECK(over_floor(alone->estimate.bytes) >= over_floor(alone->peak) / 2);
      if (!all_axes || !changed.empty()) continue;
      const auto together = measured::needs(cell, 4);
      CHECK(over_floor(together->estimate.bytes) >= over_floor(together->peak) / 2);
    }
  }
  CAPTURE(experiment.info.id);
  CHECK(measured_cells > 0);
}

// A quarter of all experiments, so that the tests run side by side.
void hold_quarter(std::size_t quarter) {
  const std::vector<experiments::Experiment>& all = experiments::all_experiments();
  for (std::size_t i = quarter; i < all.size(); i += 4) hold(all[i]);
}

}  // namespace

TEST_CASE("estimated bytes are within a factor of two of what cells take: 1 of 4") { hold_quarter(0); }
TEST_CASE("estimated bytes are within a factor of two of what cells take: 2 of 4") { hold_quarter(1); }
TEST_CASE("estimated bytes are within a factor of two of what cells take: 3 of 4") { hold_quarter(2); }
TEST_CASE("estimated bytes are within a factor of two of what cells take: 4 of 4") { hold_quarter(3); }
#endif
