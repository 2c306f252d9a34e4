// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/kept.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

constexpr double largest_record = 9e8;  // bytes; SQLite takes no more than a thousand million in one piece

// One record that is too large must not end the run of all others.
void refuse_what_no_journal_holds(base::Outcome& outcome) {
  double bytes = 0;
  for (const base::Measurement& measurement : outcome.record.measurements())
    bytes += 8 * static_cast<double>(measurement.values.size());
  for (const base::Coordinate& coordinate : outcome.record.coordinates())
    bytes += 8 * static_cast<double>(coordinate.values.size());
  if (bytes <= largest_record) return;
  outcome.status = base::Status::failed;
  outcome.message = fmt::format("its record has {}, and a journal holds at most {} in one; make the cell smaller",
                                base::human_bytes(bytes), base::human_bytes(largest_record));
  outcome.record = {};
}

}  // namespace

Kept::~Kept() { journal_.report_to(nullptr); }

void Kept::take_over(const std::vector<run::Standing>& standings) {
  for (std::size_t place = 0; place < standings.size(); ++place) {
    if (standings[place] != run::Standing::kept) continue;
    const base::Cell& cell = plan_.cells[place];
    briefs_[place] = brief_of(journal_.outcome(cell.id), *catalogue_.experiment(cell.experiment));
  }
}

void Kept::begin(const std::vector<std::size_t>& places) {
  places_ = &places;
  journal_.report_to([this](const std::vector<std::size_t>& done) { report(done); });
}

void Kept::finished(std::size_t index, base::Outcome outcome) {
  const std::size_t place = (*places_)[index];
  const base::Cell& cell = plan_.cells[place];
  refuse_what_no_journal_holds(outcome);
  briefs_[place] = brief_of(outcome, *catalogue_.experiment(cell.experiment));
  journal_.add(place, cell, outcome, run::origin_of(cell, catalogue_));
}

void Kept::not_performed(std::size_t index, base::Outcome outcome) {
  const std::size_t place = (*places_)[index];
  briefs_[place] = brief_of(outcome, *catalogue_.experiment(plan_.cells[place].experiment));
  not_performed_[place] = true;
  report({place});
}

void Kept::report(const std::vector<std::size_t>& places) {
  for (const std::size_t place : places) {
    const base::Outcome shown{briefs_[place]->status, briefs_[place]->message, {}, 0};
    progress_.finished(plan_.cells[place], shown, plan_.estimates[place].operations);
  }
}

std::optional<base::Outcome> Kept::read(std::size_t place) const {
  if (!briefs_[place]) return std::nullopt;
  if (!not_performed_[place]) return journal_.outcome(plan_.cells[place].id);
  return base::Outcome{briefs_[place]->status, briefs_[place]->message, {}, 0};
}

std::size_t Kept::count() const {
  return static_cast<std::size_t>(
      std::count_if(briefs_.begin(), briefs_.end(), [](const auto& brief) { return brief.has_value(); }));
}

std::vector<run::JournalMachine> Kept::machines() const {
  std::vector<std::string> ids;
  for (std::size_t place = 0; place < briefs_.size(); ++place)
    if (briefs_[place] && !not_performed_[place]) ids.push_back(plan_.cells[place].id);
  return journal_.machines(ids);
}

Remaining::Remaining(const spec::Plan& whole, const std::vector<run::Standing>& standings) {
  for (std::size_t i = 0; i < whole.cells.size(); ++i) {
    if (standings[i] == run::Standing::kept) continue;
    plan.cells.push_back(whole.cells[i]);
    plan.estimates.push_back(whole.estimates[i]);
    places.push_back(i);
    work += whole.estimates[i].operations;
  }
}

}  // namespace poslab::app
