// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/standing.hpp"

#include <fmt/format.h>

namespace poslab::run {
namespace {

Standing after(base::Status status) {
  switch (status) {
    case base::Status::crashed: return Standing::crashed_before;
    case base::Status::timeout: return Standing::timed_out_before;
    default: return Standing::failed_before;
  }
}

int differences(const JournalKnown& known, const base::Cell& cell, const Origin& now) {
  return (known.origin.experiment_version != now.experiment_version) +
         (known.origin.scheme_version != now.scheme_version) + (known.seed != cell.seed);
}

}  // namespace

const char* to_text(Standing standing) {
  switch (standing) {
    case Standing::kept: return "kept";
    case Standing::fresh: return "new";
    case Standing::failed_before: return "failed before";
    case Standing::crashed_before: return "crashed before";
    case Standing::timed_out_before: return "timed out before";
    case Standing::damaged: return "record damaged";
    case Standing::plugin_changed: return "plugin changed";
    case Standing::experiment_changed: return "experiment version changed";
    case Standing::scheme_changed: return "scheme version changed";
    case Standing::seed_changed: return "seed changed";
  }
  return "?";
}

Origin origin_of(const base::Cell& cell, const base::Catalogue& catalogue) {
  const base::SchemeInfo* scheme = catalogue.scheme(cell.variant.scheme);
  const base::ExperimentInfo* experiment = catalogue.experiment(cell.experiment);
  return {scheme ? scheme->file_hash : "", experiment ? experiment->version : "", scheme ? scheme->version : ""};
}

// What was done for the same question, with the fewest differences; the latest of several.
const JournalKnown* Standings::like(const base::Cell& cell) const {
  if (known_.empty()) return nullptr;
  if (by_question_.empty())
    for (const auto& [id, entry] : known_)
      if (!entry.damaged) by_question_.emplace(entry.question, &entry);
  const Origin now = origin_of(cell, catalogue_);
  const JournalKnown* nearest = nullptr;
  const auto [first, last] = by_question_.equal_range(question_of(cell));
  for (auto entry = first; entry != last; ++entry) {
    const JournalKnown& known = *entry->second;
    const int here = differences(known, cell, now), best = nearest ? differences(*nearest, cell, now) : 4;
    if (here < best || (here == best && known.number > nearest->number)) nearest = &known;
  }
  return nearest;
}

Standing Standings::of(const base::Cell& cell) const {
  if (!cell.skip.empty()) return Standing::fresh;
  const auto found = known_.find(cell.id);
  if (found != known_.end()) {
    if (found->second.damaged) return Standing::damaged;
    if (found->second.status != base::Status::ok) return after(found->second.status);
    const base::SchemeInfo* scheme = catalogue_.scheme(cell.variant.scheme);
    return scheme && scheme->file_hash == found->second.origin.plugin_hash ? Standing::kept : Standing::plugin_changed;
  }
  const JournalKnown* known = like(cell);
  if (!known) return Standing::fresh;
  const Origin now = origin_of(cell, catalogue_);
  if (known->origin.experiment_version != now.experiment_version) return Standing::experiment_changed;
  if (known->origin.scheme_version != now.scheme_version) return Standing::scheme_changed;
  return known->seed != cell.seed ? Standing::seed_changed : Standing::fresh;
}

std::vector<Standing> Standings::of(const std::vector<base::Cell>& cells) const {
  std::vector<Standing> all;
  all.reserve(cells.size());
  for (const base::Cell& cell : cells) all.push_back(of(cell));
  return all;
}

std::string Standings::sentence(const base::Cell& cell) const {
  const Standing standing = of(cell);
  const Origin now = origin_of(cell, catalogue_);
  if (standing == Standing::plugin_changed)
    return fmt::format("{}: {:.8}, done with {:.8}", to_text(standing), now.plugin_hash,
                       known_.at(cell.id).origin.plugin_hash);
  if (standing < Standing::experiment_changed) return to_text(standing);
  const JournalKnown& known = *like(cell);
  std::string text;
  const auto add = [&](Standing what, const std::string& here, const std::string& there) {
    if (here != there)
      text += fmt::format("{}{}: {}, done with {}", text.empty() ? "" : "; ", to_text(what), here, there);
  };
  add(Standing::experiment_changed, now.experiment_version, known.origin.experiment_version);
  add(Standing::scheme_changed, now.scheme_version, known.origin.scheme_version);
  add(Standing::seed_changed, std::to_string(cell.seed), std::to_string(known.seed));
  return text;
}

}  // namespace poslab::run
