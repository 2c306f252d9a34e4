// SPDX-License-Identifier: Apache-2.0
// Outcomes by their place in the plan: those of earlier runs, and those of this one, which go to the journal first and are
// reported as done once they are on disk. Memory keeps what is shown of them; numbers are read back one cell at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "poslab/app/summary.hpp"
#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/progress.hpp"
#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {

class Kept : public run::RecordSink {
 public:
  Kept(const spec::Plan& plan, const base::Catalogue& catalogue, run::Journal& journal, run::Progress& progress)
      : plan_(plan),
        catalogue_(catalogue),
        journal_(journal),
        progress_(progress),
        briefs_(plan.cells.size()),
        not_performed_(plan.cells.size()) {}
  ~Kept() override;

  void take_over(const std::vector<run::Standing>& standings);
  /// The cells that are performed now, by their place in the plan.
  void begin(const std::vector<std::size_t>& places);
  void finished(std::size_t index, base::Outcome outcome) override;
  /// These do not go to the journal: the next run asks again, and an older record of a plugin that works is not lost.
  void not_performed(std::size_t index, base::Outcome outcome) override;
  void stopping(int in_hand) override { progress_.stopping(in_hand); }

  /// In whole, from disk; nothing if the cell has not run.
  std::optional<base::Outcome> read(std::size_t place) const;
  const Outcomes& briefs() const { return briefs_; }
  std::size_t count() const;
  /// On which the cells of the plan were performed, now or earlier.
  std::vector<run::JournalMachine> machines() const;

 private:
  void report(const std::vector<std::size_t>& places);

  const spec::Plan& plan_;
  const base::Catalogue& catalogue_;
  run::Journal& journal_;
  run::Progress& progress_;
  Outcomes briefs_;
  std::vector<bool> not_performed_;  // by place
  const std::vector<std::size_t>* places_ = nullptr;
};

/// What is left of a plan, and where its cells stand in it.
struct Remaining {
  spec::Plan plan;
  std::vector<std::size_t> places;
  double work = 0;
  Remaining(const spec::Plan& whole, const std::vector<run::Standing>& standings);
};

}  // namespace poslab::app
