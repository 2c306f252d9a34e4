// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/narrowing.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "poslab/base/error.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/journal_status.hpp"

namespace poslab::run {
namespace {

using Names = std::vector<std::string>;

// What the journal says of the run that wrote a results file; nothing without one of them.
std::optional<journal::JournalStatus> run_before(const std::filesystem::path& output,
                                                 const std::filesystem::path& journal) {
  std::error_code none;
  if (!std::filesystem::exists(output, none) || !std::filesystem::exists(journal, none)) return std::nullopt;
  try {
    journal::JournalStatus before = journal::status_of_journal(journal);
    if (before.begun) return before;
  } catch (const base::Error&) {  // the run says what is wrong with it
  }
  return std::nullopt;
}

template <class Uses>
Names ids_of(const Uses& uses) {
  Names ids;
  for (const auto& use : uses)
    if (std::find(ids.begin(), ids.end(), use.id) == ids.end()) ids.push_back(use.id);
  return ids;
}

Names without(Names names, const Names& others) {
  std::erase_if(names, [&](const auto& name) { return std::find(others.begin(), others.end(), name) != others.end(); });
  return names;
}

// The study with --only for all that the run before had; nothing if that is not what the run before was of.
std::optional<study::Study> study_before(const std::string& study, study::Overrides overrides,
                                         const journal::JournalStatus& before, const data::Catalogue& catalogue) {
  try {
    const study::Study stored = study::parse_study(before.resolved_study, before.study_path, catalogue);
    overrides.only = ids_of(stored.schemes);
    for (const std::string& id : ids_of(stored.experiments)) overrides.only.push_back(id);
    study::Study narrowed = study::read_study(study, catalogue, overrides);
    if (narrowed.hash() == before.study_hash) return narrowed;
  } catch (const study::StudyErrors&) {  // the study, or a plugin, has changed since
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> larger_previous_plan(const PreparedRun& run) {
  const auto before = run.request.shard ? std::nullopt : run_before(run.output, run.journal);
  const auto planned = before ? static_cast<std::size_t>(before->planned) : 0;
  const bool is_another_part =
      before && !run.request.overrides.values.empty() && before->study_hash != run.study.hash();
  return planned > run.part.plan.cells.size() || is_another_part ? std::optional(planned) : std::nullopt;
}

Names earlier_only(const std::string& study, const study::Overrides& overrides, const std::string& output,
                   const data::Catalogue& catalogue) {
  if (overrides.only.empty() || !overrides.values.empty()) return {};
  const auto before = run_before(output, journal::Journal::beside(output));
  if (!before || !before->shard.empty()) return {};
  const study::Study now = study::read_study(study, catalogue, overrides);
  const study::Study whole = study::read_study(study, catalogue, {overrides.axes, {}});
  const auto earlier = study_before(study, overrides, *before, catalogue);
  if (!earlier || earlier->hash() == whole.hash()) return {};
  const Names schemes = ids_of(now.schemes), experiments = ids_of(now.experiments);
  if (ids_of(earlier->experiments) == experiments) return without(ids_of(earlier->schemes), schemes);
  if (ids_of(earlier->schemes) == schemes) return without(ids_of(earlier->experiments), experiments);
  return {};
}

}  // namespace poslab::run
