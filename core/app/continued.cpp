// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/continued.hpp"

#include <algorithm>
#include <optional>

#include "poslab/run/journal_status.hpp"
#include "poslab/run/standing.hpp"

namespace poslab::app {
namespace {

namespace fs = std::filesystem;

bool shares_a_cell(const run::JournalContent& content, const spec::Plan& plan, const base::Catalogue& catalogue) {
  const run::Standings standings(content.known, catalogue);
  return std::any_of(plan.cells.begin(), plan.cells.end(),
                     [&](const base::Cell& cell) { return standings.of(cell) != run::Standing::fresh; });
}

// What a journal says of itself, which costs nothing, however many cells it has; nothing if it cannot be asked so.
std::optional<run::JournalStatus> self_description(const fs::path& journal) {
  try {
    return run::status_of_journal(journal);
  } catch (const base::FileError&) {
    return std::nullopt;
  }
}

}  // namespace

run::JournalContent readable_content(const fs::path& journal) {
  try {
    return run::Journal::read(journal);
  } catch (const run::JournalCorrupt& corrupt) {
    run::JournalContent nothing;
    nothing.notices.emplace_back(corrupt.what());
    return nothing;
  }
}

bool is_continued(const fs::path& journal, const spec::Study& study, const spec::Plan& plan,
                  const base::Catalogue& catalogue) {
  if (!fs::exists(journal)) return false;
  if (const auto run = self_description(journal); run && run->begun && run->study_hash == study.hash()) return true;
  const run::JournalContent content = readable_content(journal);
  return !content.notices.empty() || shares_a_cell(content, plan, catalogue);
}

bool is_continued_shard(const fs::path& journal, const spec::Study& study, const spec::Plan& plan,
                        const base::Catalogue& catalogue) {
  if (!fs::exists(journal)) return false;
  if (const auto run = self_description(journal);
      run && run->begun && run->study_path == study.path && run->title == study.title)
    return true;
  return is_continued(journal, study, plan, catalogue) || readable_content(journal).known.empty();
}

}  // namespace poslab::app
