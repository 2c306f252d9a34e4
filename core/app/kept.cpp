// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/kept.hpp"

namespace poslab::app {

Kept::~Kept() {
  if (journal_) journal_->report_to(nullptr);
}

void Kept::take_over(const run::Journal& journal, const std::vector<run::Standing>& standings) {
  for (std::size_t i = 0; i < standings.size(); ++i)
    if (standings[i] == run::Standing::kept) outcomes_[i] = journal.outcome(plan_.cells[i].id);
}

void Kept::begin(run::Journal& journal, const std::vector<std::size_t>& places) {
  journal_ = &journal, places_ = &places;
  journal.report_to([this](const std::vector<std::size_t>& done) { report(done); });
}

void Kept::finished(std::size_t index, base::Outcome outcome) {
  const std::size_t place = (*places_)[index];
  const base::Cell& cell = plan_.cells[place];
  outcomes_[place] = std::move(outcome);
  if (cell.skip.empty())
    journal_->add(place, cell, *outcomes_[place], library_.at(cell.variant.scheme)->info().file_hash);
  else
    report({place});
}

void Kept::report(const std::vector<std::size_t>& places) {
  for (const std::size_t place : places)
    progress_.finished(plan_.cells[place], *outcomes_[place], plan_.estimates[place].operations);
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
