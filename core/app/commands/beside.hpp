// SPDX-License-Identifier: Apache-2.0
// What `poslab run --beside` adds: a page of the answers among those of another results file.
#pragma once

#include <string>

namespace poslab::app {

/// Throws, before a run whose results go to `output`, for what its report would fail at: UsageError for `others` that
/// answer nothing, run::OutputUnreadable, and, unless `fresh`, base::FileError for a page that something else has made.
void require_reportable(const std::string& others, const std::string& output, bool fresh);

/// Writes the page. Where that fails the run ends as it would without: a page can be made later.
void report_beside(const std::string& others, const std::string& output);

}  // namespace poslab::app
