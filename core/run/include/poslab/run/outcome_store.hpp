// SPDX-License-Identifier: Apache-2.0
// Outcomes by index in the plan: those of earlier runs, and those of this one, which go to the journal first and are
// reported as done once they are on disk. Memory keeps summaries; numbers are read back one cell at a time.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "poslab/run/run_listener.hpp"
#include "poslab/run/token_speeds.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {

class OutcomeStore : public OutcomeSink {
 public:
  OutcomeStore(const study::Plan& plan, const data::Catalogue& catalogue, journal::Journal& journal,
               RunListener& listener, bool is_shard);
  ~OutcomeStore() override;

  /// Outcomes that the journal has, of the cells that are `kept`; of others what they have done for their repeats.
  void take_over(const std::vector<journal::CellState>& states);
  data::CheckpointPointer checkpoint(std::size_t index) override;
  bool has_head_start(std::size_t index) const override { return head_starts_.count(plan_.first_repeat(index)) > 0; }
  void progressed(const workers::ProgressReport& report) override;
  void starting(std::size_t index) override { listener_.starting(plan_.cells[index]); }
  void executed(std::size_t index) override { listener_.executed(plan_.cells[index]); }
  void finished(std::size_t index, data::PackedOutcome outcome) override;
  /// These do not go to the journal: the next run performs them, and an older record of a plugin that works is not
  /// lost. Those of a shard do where there is none: its merge has nothing else, and the next run performs them, too.
  void not_performed(std::size_t index, data::Outcome outcome) override;
  void stopping(int running) override { listener_.stopping(running); }

  /// In whole, from disk; nothing if the cell has not run.
  std::optional<data::Outcome> read(std::size_t index) const;
  const OutcomeSummaries& summaries() const { return summaries_; }
  bool is_complete() const;
  /// On which the cells of the plan were performed, now or earlier.
  std::vector<journal::JournalMachine> machines() const;
  /// By which they were, likewise.
  std::vector<journal::JournalBuild> builds() const;
  /// The speeds of the cells that this run executed.
  const TokenSpeeds& token_speeds() const { return token_speeds_; }

 private:
  std::vector<std::string> performed() const;  // identities of these cells
  void report(const std::vector<std::size_t>& indices);
  bool wants_head_start(std::size_t index) const { return plan_.cells[index].shares_work && !has_head_start(index); }
  void share(std::size_t index, const data::Outcome& outcome);
  void share(std::size_t index, const data::CheckpointPointer& checkpoint);
  void begin_others_with(std::size_t index, std::string head_start);

  const study::Plan& plan_;
  const data::Catalogue& catalogue_;
  journal::Journal& journal_;
  RunListener& listener_;
  const bool is_shard_;
  OutcomeSummaries summaries_;
  std::vector<bool> not_performed_;                             // by index in the plan
  std::vector<bool> has_older_;                                 // likewise: a record that does not count any more
  std::map<std::size_t, data::CheckpointPointer> head_starts_;  // by the first of the repeats that share work
  TokenSpeeds token_speeds_;
  std::mutex reporting_;
};

}  // namespace poslab::run
