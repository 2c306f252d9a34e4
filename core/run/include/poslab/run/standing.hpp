// SPDX-License-Identifier: Apache-2.0
// Where a plan stands: which cells are done, and why each of the others has to run.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/run/journal.hpp"

namespace poslab::run {

enum class Standing {
  kept,   ///< done in an earlier run, by the same plugin file
  fresh,  ///< never run
  failed_before,
  crashed_before,
  timed_out_before,
  damaged,         ///< its record in the journal is
  plugin_changed,  ///< done, but by another file of its plugin
  // Done under another identity that asks the same:
  experiment_changed,
  scheme_changed,
  seed_changed
};
/// "new", "failed before", ...
const char* to_text(Standing standing);

/// What a cell's numbers would come from now.
Origin origin_of(const base::Cell& cell, const base::Catalogue& catalogue);

/// Compares cells with what a journal knows. Both must outlive it; one thread.
class Standings {
 public:
  Standings(const std::unordered_map<std::string, JournalKnown>& known, const base::Catalogue& catalogue)
      : known_(known), catalogue_(catalogue) {}
  /// Cells that the plan skips are never kept: they cost nothing.
  Standing of(const base::Cell& cell) const;
  std::vector<Standing> of(const std::vector<base::Cell>& cells) const;
  /// With facts: "scheme version changed: 1.1, done with 1.0".
  std::string sentence(const base::Cell& cell) const;

 private:
  const JournalKnown* like(const base::Cell& cell) const;
  const std::unordered_map<std::string, JournalKnown>& known_;
  const base::Catalogue& catalogue_;
  mutable std::unordered_multimap<std::string, const JournalKnown*> by_question_;  // made when first needed
};

}  // namespace poslab::run
