// SPDX-License-Identifier: Apache-2.0
// Estimated operations against what is done. They order cells and tell how much of a run is left, so they need to be
// right to a factor, and to grow as the work does. An operation is a step of a plain loop, so each number that a cell
// asks of its scheme is one at least: these are counted. What follows from an experiment's own definition is in a table
// here. Times are in `[.survey]`, and asserted nowhere.
#include <algorithm>
#include <optional>

#include "cases.hpp"
#include "catch.hpp"
#include "measured.hpp"

using namespace poslab;

namespace {

constexpr std::int64_t times = 4;

// As the work of an experiment itself grows, where it is not what it asks of its scheme that takes the time: by its
// definition, an axis four times as large takes at least so many times the operations.
struct Growth {
  const char *experiment, *scheme, *axis;
  double least;
};
constexpr Growth growths[] = {
    {"add-or-concatenate", "sinusoidal", "sequences", 2},  // each is encoded, probed and attends
    {"base-bounds", "rope", "length", 2},                  // every distance is looked at
    {"decodability", "sinusoidal", "pairs", 16},           // a Newton step decomposes a matrix of P x P
    {"effective-dimension", "rope", "length", 32},         // singular values of N x N
    {"precision", "rope", "contents", 2},                  // each has logits at every shift and stage
    {"uniqueness", "learned", "length", 5},                // pairs of N codes
};

const cases::Scheme& scheme_called(const std::string& id) {
  const std::vector<cases::Scheme>& all = cases::schemes();
  return *std::find_if(all.begin(), all.end(), [&](const cases::Scheme& scheme) { return scheme.id == id; });
}

}  // namespace

TEST_CASE("operations are at least the numbers asked of the scheme, and grow by as many along every axis") {
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    for (std::size_t place = 0; place < cases::varied; ++place) {
      std::optional<measured::Needs> first;
      for (const auto& [cell, changed] :
           cases::cells(experiment, cases::schemes()[place], cases::Size::small, times, true)) {
        CAPTURE(cases::text(cell), changed);
        const auto needs = measured::needs(cell);
        if (!needs) continue;
        CHECK(needs->estimate.operations >= needs->asked);
        if (changed.empty()) first = needs;
        if (changed == "heads") continue;  // the one axis that gets smaller: what each head takes is gone
        if (!first || needs->asked <= first->asked) continue;
        CHECK(needs->estimate.operations - first->estimate.operations >= needs->asked - first->asked);
      }
    }
}

TEST_CASE("operations grow as the experiment's own work does") {
  for (const auto& [id, scheme, axis, least] : growths) {
    CAPTURE(id, scheme, axis);
    double first = 0, grown = 0;
    for (const auto& [cell, changed] :
         cases::cells(experiments::find_experiment(id), scheme_called(scheme), cases::Size::large, times, true)) {
      if (changed.empty()) first = measured::estimate_of(cell)->operations;
      if (changed == axis) grown = measured::estimate_of(cell)->operations;
    }
    CHECK(grown >= least * first);
  }
}
