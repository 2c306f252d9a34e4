// SPDX-License-Identifier: Apache-2.0
// Which cells of a plan are done, and why each of the others has to run.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/journal/journal.hpp"

namespace poslab::journal {

enum class CellState {
  kept,   ///< done in an earlier run, by the same plugin file and libraries
  fresh,  ///< never run
  failed_before,
  crashed_before,
  timed_out_before,
  damaged,         ///< its record in the journal is
  plugin_changed,  ///< done, but by another file of its plugin or of a library that this loads
  // Done under another identity that asks the same:
  experiment_changed,
  scheme_changed,
  seed_changed
};
/// "new", "failed before", ...
const char* to_text(CellState state);

/// The indices of the cells that are not kept.
std::vector<std::size_t> remaining(const std::vector<CellState>& states);

/// By whose code a cell would be performed now.
Origin origin_of(const data::Cell& cell, const data::Catalogue& catalogue);

/// Compares cells with those that a journal knows. Both arguments must outlive it; one thread.
class ResumePlan {
 public:
  ResumePlan(const std::unordered_map<std::string, KnownCell>& known, const data::Catalogue& catalogue)
      : known_(known), catalogue_(catalogue) {}
  /// Cells that the plan skips are never kept: they cost nothing.
  CellState of(const data::Cell& cell) const;
  std::vector<CellState> of(const std::vector<data::Cell>& cells) const;
  /// The state of the cell in words, with facts: "scheme version changed: 1.1, done with 1.0".
  std::string sentence(const data::Cell& cell, CellState state) const;

 private:
  const KnownCell* closest_match(const data::Cell& cell) const;
  const std::unordered_map<std::string, KnownCell>& known_;
  const data::Catalogue& catalogue_;
  mutable std::unordered_multimap<std::string, const KnownCell*> by_question_;  // made when first needed
};

}  // namespace poslab::journal
