// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/narrowing.hpp"

#include <filesystem>
#include <system_error>

#include "poslab/base/error.hpp"
#include "poslab/journal/journal_status.hpp"

namespace poslab::run {

std::optional<std::size_t> wider_before(const PreparedRun& run) {
  std::error_code none;
  if (!std::filesystem::exists(run.output, none) || !std::filesystem::exists(run.journal, none)) return std::nullopt;
  try {
    const journal::JournalStatus before = journal::status_of_journal(run.journal);
    const auto planned = static_cast<std::size_t>(before.planned);
    if (before.begun && planned > run.part.plan.cells.size()) return planned;
  } catch (const base::Error&) {  // the run says what is wrong with it
  }
  return std::nullopt;
}

}  // namespace poslab::run
