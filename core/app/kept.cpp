// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/kept.hpp"

#include <algorithm>

namespace poslab::app {

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
  briefs_[place] = brief_of(outcome, *catalogue_.experiment(cell.experiment));
  if (cell.skip.empty())
    journal_.add(place, cell, outcome, run::origin_of(cell, catalogue_));
  else
    report({place});
}

void Kept::report(const std::vector<std::size_t>& places) {
  for (const std::size_t place : places) {
    const base::Outcome shown{briefs_[place]->status, briefs_[place]->message, {}, 0};
    progress_.finished(plan_.cells[place], shown, plan_.estimates[place].operations);
  }
}

std::optional<base::Outcome> Kept::read(std::size_t place) const {
  const base::Cell& cell = plan_.cells[place];
  if (!briefs_[place]) return std::nullopt;
  if (cell.skip.empty()) return journal_.outcome(cell.id);
  return base::Outcome{briefs_[place]->status, briefs_[place]->message, {}, 0};
}

std::size_t Kept::count() const {
  return static_cast<std::size_t>(
      std::count_if(briefs_.begin(), briefs_.end(), [](const auto& brief) { return brief.has_value(); }));
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
