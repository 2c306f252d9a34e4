// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/outcome_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "poslab/base/text.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/record.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/journal/checkpoints.hpp"

namespace poslab::run {
namespace {

constexpr std::size_t largest_record = 900'000'000;  // bytes; SQLite takes no more than a thousand million in one piece

// With the facts of its attempt alone.
data::PackedOutcome failed(data::Outcome outcome, std::string why) {
  outcome.status = data::Status::failed;
  outcome.message = std::move(why);
  outcome.record = {};
  outcome.weights = data::WeightsState::none;
  return data::PackedOutcome(std::move(outcome));
}

// One record that is too large must not end the run of all others.
data::PackedOutcome failed_if_too_large(data::PackedOutcome outcome) {
  if (outcome.bytes().size() <= largest_record) return outcome;
  return failed(outcome.outcome(),
                fmt::format("its record has {}, and a journal holds at most {} in one; make the cell smaller",
                            base::human_bytes(static_cast<double>(outcome.bytes().size())),
                            base::human_bytes(static_cast<double>(largest_record))));
}

// A worker is the plugin's, too: what comes from it may be anything.
data::PackedOutcome failed_if_of_another(data::PackedOutcome outcome, const data::ExperimentInfo& experiment,
                                         const data::Cell& cell) {
  const auto refusal = data::why_not_record_of(outcome.outcome().record, experiment, cell);
  if (!refusal) return outcome;
  return failed(outcome.outcome(), "its record is not one of this cell: " + refusal->reason);
}

}  // namespace

OutcomeStore::OutcomeStore(const study::Plan& plan, const data::Catalogue& catalogue, journal::Journal& journal,
                           RunListener& listener, bool is_shard)
    : plan_(plan),
      catalogue_(catalogue),
      journal_(journal),
      listener_(listener),
      is_shard_(is_shard),
      summaries_(plan.cells.size()),
      not_performed_(plan.cells.size()),
      has_older_(plan.cells.size()) {
  journal_.on_commit([this](const std::vector<std::size_t>& committed) { report(committed); });
}

OutcomeStore::~OutcomeStore() { journal_.on_commit(nullptr); }

void OutcomeStore::take_over(const std::vector<journal::CellState>& states) {
  for (std::size_t index = 0; index < states.size(); ++index) {
    const data::Cell& cell = plan_.cells[index];
    has_older_[index] = states[index] == journal::CellState::plugin_changed;
    if (states[index] != journal::CellState::kept) {
      if (wants_head_start(index) && journal_.has_checkpoint(cell.id))
        share(index, journal_.checkpoint(cell.id, journal::maker_of(cell, catalogue_)));
      continue;
    }
    const data::Outcome outcome = journal_.outcome(cell.id);
    summaries_[index] = summarise(outcome, *catalogue_.experiment(cell.experiment));
    share(index, outcome);
    journal_.forget_checkpoint(cell.id);  // the last run may have been killed before it did
  }
}

data::CheckpointPointer OutcomeStore::checkpoint(std::size_t index) {
  const data::Cell& cell = plan_.cells[index];
  if (journal_.has_checkpoint(cell.id))
    if (data::CheckpointPointer own = journal_.checkpoint(cell.id, journal::maker_of(cell, catalogue_))) return own;
  const auto shared = head_starts_.find(plan_.first_repeat(index));
  return shared == head_starts_.end() ? nullptr : shared->second;
}

// What the other repeats of a cell begin with, once one of them is done.
void OutcomeStore::share(std::size_t index, const data::Outcome& outcome) {
  if (!wants_head_start(index) || outcome.status != data::Status::ok) return;
  const data::Cell& cell = plan_.cells[index];
  begin_others_with(index, experiments::find_experiment(cell.experiment).at(cell.axes)->head_start(outcome.record));
}

// What a repeat has kept that goes on, and may fail yet.
void OutcomeStore::share(std::size_t index, const data::CheckpointPointer& checkpoint) try {
  if (!checkpoint || !wants_head_start(index)) return;
  const data::Cell& cell = plan_.cells[index];
  const auto at = experiments::find_experiment(cell.experiment).at(cell.axes);
  if (std::string begun = at->head_start_of(checkpoint->bytes); !begun.empty())
    begin_others_with(index, std::move(begun));
} catch (const data::NotPacked&) {  // a worker is the plugin's, too
}

void OutcomeStore::begin_others_with(std::size_t index, std::string head_start) {
  head_starts_[plan_.first_repeat(index)] =
      std::make_shared<const data::Checkpoint>(data::Checkpoint{{}, std::move(head_start)});
}

void OutcomeStore::progressed(const workers::ProgressReport& report) {
  const data::Cell& cell = plan_.cells[report.index];
  if (report.checkpoint) journal_.keep(cell, report.checkpoint, journal::maker_of(cell, catalogue_));
  share(report.index, report.checkpoint);
  if (report.progress.tokens > 0) token_speeds_.at(report.index, report.progress.tokens);
  listener_.progressed(cell, report.progress, plan_.estimates[report.index].operations);
}

void OutcomeStore::finished(std::size_t index, data::PackedOutcome performed) {
  const data::Cell& cell = plan_.cells[index];
  const data::ExperimentInfo& experiment = *catalogue_.experiment(cell.experiment);
  const data::PackedOutcome outcome = failed_if_of_another(failed_if_too_large(std::move(performed)), experiment, cell);
  summaries_[index] = summarise(outcome.outcome(), experiment);
  share(index, outcome.outcome());
  journal_.add(index, cell, outcome, journal::origin_of(cell, catalogue_));
}

void OutcomeStore::not_performed(std::size_t index, data::Outcome outcome) {
  if (is_shard_ && !plan_.cells[index].skip && !has_older_[index])
    return finished(index, data::PackedOutcome(std::move(outcome)));
  summaries_[index] = summarise(outcome, *catalogue_.experiment(plan_.cells[index].experiment));
  not_performed_[index] = true;
  report({index});
}

// From the journal's thread, and from the engine's for what it does not give away.
void OutcomeStore::report(const std::vector<std::size_t>& indices) {
  const std::lock_guard<std::mutex> one_at_a_time(reporting_);
  for (const std::size_t index : indices)
    listener_.finished(plan_.cells[index], *summaries_[index], plan_.estimates[index].operations);
}

std::optional<data::Outcome> OutcomeStore::read(std::size_t index) const {
  if (!summaries_[index]) return std::nullopt;
  if (!not_performed_[index]) return journal_.outcome(plan_.cells[index].id);
  return data::Outcome{summaries_[index]->status, summaries_[index]->message};
}

bool OutcomeStore::is_complete() const {
  return std::all_of(summaries_.begin(), summaries_.end(), [](const auto& summary) { return summary.has_value(); });
}

std::vector<std::string> OutcomeStore::performed() const {
  std::vector<std::string> ids;
  for (std::size_t index = 0; index < summaries_.size(); ++index)
    if (summaries_[index] && !not_performed_[index]) ids.push_back(plan_.cells[index].id);
  return ids;
}

std::vector<journal::JournalMachine> OutcomeStore::machines() const { return journal_.machines(performed()); }
std::vector<journal::JournalBuild> OutcomeStore::builds() const { return journal_.builds(performed()); }

}  // namespace poslab::run
