// SPDX-License-Identifier: Apache-2.0
#include "poslab/journal/resume_plan.hpp"

#include <fmt/format.h>

#include "poslab/data/outcome.hpp"

namespace poslab::journal {
namespace {

CellState after(data::Status status) {
  switch (status) {
    case data::Status::crashed: return CellState::crashed_before;
    case data::Status::timeout: return CellState::timed_out_before;
    default: return CellState::failed_before;
  }
}

int differences(const KnownCell& known, const data::Cell& cell, const Origin& now) {
  return (known.origin.experiment_version != now.experiment_version) +
         (known.origin.scheme_version != now.scheme_version) + (known.seed != cell.seed);
}

}  // namespace

const char* to_text(CellState state) {
  switch (state) {
    case CellState::kept: return "kept";
    case CellState::fresh: return "new";
    case CellState::failed_before: return "failed before";
    case CellState::crashed_before: return "crashed before";
    case CellState::timed_out_before: return "timed out before";
    case CellState::damaged: return "record damaged";
    case CellState::plugin_changed: return "plugin changed";
    case CellState::experiment_changed: return "experiment version changed";
    case CellState::scheme_changed: return "scheme version changed";
    case CellState::seed_changed: return "seed changed";
  }
  return "?";
}

std::vector<std::size_t> remaining(const std::vector<CellState>& states) {
  std::vector<std::size_t> indices;
  for (std::size_t index = 0; index < states.size(); ++index)
    if (states[index] != CellState::kept) indices.push_back(index);
  return indices;
}

Origin origin_of(const data::Cell& cell, const data::Catalogue& catalogue) {
  const data::SchemeInfo* scheme = catalogue.scheme(cell.variant.scheme);
  const data::ExperimentInfo* experiment = catalogue.experiment(cell.experiment);
  return {scheme ? scheme->code_hash() : "", experiment ? experiment->version : "", scheme ? scheme->version : ""};
}

// The known cell that asks the same, with the fewest differences; the latest of several.
const KnownCell* ResumePlan::closest_match(const data::Cell& cell) const {
  if (known_.empty()) return nullptr;
  if (by_question_.empty())
    for (const auto& [id, entry] : known_)
      if (!entry.damaged) by_question_.emplace(entry.question, &entry);
  const Origin now = origin_of(cell, catalogue_);
  const KnownCell* nearest = nullptr;
  const auto [first, last] = by_question_.equal_range(question_of(cell));
  for (auto entry = first; entry != last; ++entry) {
    const KnownCell& known = *entry->second;
    const int here = differences(known, cell, now), best = nearest ? differences(*nearest, cell, now) : 4;
    if (here < best || (here == best && known.number > nearest->number)) nearest = &known;
  }
  return nearest;
}

CellState ResumePlan::of(const data::Cell& cell) const {
  if (cell.skip) return CellState::fresh;
  const auto found = known_.find(cell.id);
  if (found != known_.end()) {
    if (found->second.damaged) return CellState::damaged;
    if (found->second.status != data::Status::ok) return after(found->second.status);
    const data::SchemeInfo* scheme = catalogue_.scheme(cell.variant.scheme);
    return scheme && scheme->code_hash() == found->second.origin.plugin_hash ? CellState::kept
                                                                             : CellState::plugin_changed;
  }
  const KnownCell* known = closest_match(cell);
  if (!known) return CellState::fresh;
  const Origin now = origin_of(cell, catalogue_);
  if (known->origin.experiment_version != now.experiment_version) return CellState::experiment_changed;
  if (known->origin.scheme_version != now.scheme_version) return CellState::scheme_changed;
  return known->seed != cell.seed ? CellState::seed_changed : CellState::fresh;
}

std::vector<CellState> ResumePlan::of(const std::vector<data::Cell>& cells) const {
  std::vector<CellState> all;
  all.reserve(cells.size());
  for (const data::Cell& cell : cells) all.push_back(of(cell));
  return all;
}

std::string ResumePlan::sentence(const data::Cell& cell, CellState state) const {
  const Origin now = origin_of(cell, catalogue_);
  if (state == CellState::plugin_changed)
    return fmt::format("{}: {}", to_text(state),
                       data::code_difference(now.plugin_hash, known_.at(cell.id).origin.plugin_hash));
  if (state < CellState::experiment_changed) return to_text(state);
  const KnownCell& known = *closest_match(cell);
  std::string text;
  const auto add = [&](CellState what, const std::string& here, const std::string& there) {
    if (here != there)
      text += fmt::format("{}{}: {}, done with {}", text.empty() ? "" : "; ", to_text(what), here, there);
  };
  add(CellState::experiment_changed, now.experiment_version, known.origin.experiment_version);
  add(CellState::scheme_changed, now.scheme_version, known.origin.scheme_version);
  add(CellState::seed_changed, std::to_string(cell.seed), std::to_string(known.seed));
  return text;
}

}  // namespace poslab::journal
