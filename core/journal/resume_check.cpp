// SPDX-License-Identifier: Apache-2.0
#include "poslab/journal/resume_check.hpp"

#include <algorithm>
#include <optional>

#include "poslab/base/regular_file.hpp"
#include "poslab/journal/journal_status.hpp"
#include "poslab/journal/resume_plan.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

bool shares_a_cell(const JournalContent& content, const std::vector<data::Cell>& cells,
                   const data::Catalogue& catalogue) {
  const ResumePlan resume(content.known, catalogue);
  return std::any_of(cells.begin(), cells.end(),
                     [&](const data::Cell& cell) { return resume.of(cell) != CellState::fresh; });
}

// The run that a journal describes, which is fast however many cells it has; nothing if it cannot be read.
std::optional<JournalStatus> described_run(const fs::path& journal) {
  try {
    return status_of_journal(journal);
  } catch (const base::FileError&) {
    return std::nullopt;
  }
}

}  // namespace

JournalContent readable_content(const fs::path& journal) {
  try {
    return Journal::read(journal);
  } catch (const JournalCorrupt& corrupt) {
    JournalContent nothing;
    nothing.notices.emplace_back(corrupt.what());
    return nothing;
  }
}

std::size_t count_unasked(const std::unordered_map<std::string, KnownCell>& known,
                          const std::vector<data::Cell>& cells) {
  std::size_t asked = 0;
  for (const data::Cell& cell : cells) asked += known.count(cell.id);
  return known.size() - asked;
}

bool resumes(const fs::path& journal, const StudyName& study, const std::vector<data::Cell>& cells,
             const data::Catalogue& catalogue) {
  if (!base::is_there(journal)) return false;
  if (const auto run = described_run(journal); run && run->begun && run->study_hash == study.hash) return true;
  const JournalContent content = readable_content(journal);
  return !content.notices.empty() || shares_a_cell(content, cells, catalogue);
}

bool resumes_shard(const fs::path& journal, const StudyName& study, const std::vector<data::Cell>& cells,
                   const data::Catalogue& catalogue) {
  if (!base::is_there(journal)) return false;
  if (const auto run = described_run(journal);
      run && run->begun && run->study_path == study.path && run->title == study.title)
    return true;
  return resumes(journal, study, cells, catalogue) || readable_content(journal).known.empty();
}

std::set<std::string> cells_of(const fs::path& journal, const std::vector<data::Cell>& cells) {
  std::set<std::string> ids;
  for (const auto& [id, known] : readable_content(journal).known) ids.insert(id);
  for (const data::Cell& cell : cells) ids.insert(cell.id);
  return ids;
}

}  // namespace poslab::journal
