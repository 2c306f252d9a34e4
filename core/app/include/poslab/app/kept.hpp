// SPDX-License-Identifier: Apache-2.0
// Outcomes by their place in the plan: those of earlier runs, and those of this one, which go to the journal first and are
// reported as done once they are on disk.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "poslab/base/cell.hpp"
#include "poslab/host/library.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/progress.hpp"
#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {

class Kept : public run::RecordSink {
 public:
  Kept(const spec::Plan& plan, const host::Library& library, run::Progress& progress)
      : plan_(plan), library_(library), progress_(progress), outcomes_(plan.cells.size()) {}
  ~Kept() override;

  void take_over(const run::Journal& journal, const std::vector<run::Standing>& standings);
  /// The cells that are performed now, by their place in the plan.
  void begin(run::Journal& journal, const std::vector<std::size_t>& places);
  void finished(std::size_t index, base::Outcome outcome) override;

  const base::Outcome* at(std::size_t place) const { return outcomes_[place] ? &*outcomes_[place] : nullptr; }
  const std::vector<std::optional<base::Outcome>>& outcomes() const { return outcomes_; }

 private:
  void report(const std::vector<std::size_t>& places);

  const spec::Plan& plan_;
  const host::Library& library_;
  run::Progress& progress_;
  std::vector<std::optional<base::Outcome>> outcomes_;
  run::Journal* journal_ = nullptr;
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
