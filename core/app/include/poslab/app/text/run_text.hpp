// SPDX-License-Identifier: Apache-2.0
// What a run says at its end.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/text/summary.hpp"
#include "poslab/run/run_study.hpp"

namespace poslab::app {

/// For stdout: the summary, the plugins that got no more cells, and the closing line; nothing if no file was written.
/// `plugin_directories` as given by --plugins.
StyledText result_text(const run::PreparedRun& run, const run::RunResult& result,
                       const std::vector<std::string>& plugin_directories, const SummaryStyle& style);
/// For stderr: why the run stopped before its end, or nothing.
std::string problem_text(const run::PreparedRun& run, const run::RunResult& result);
/// For stderr, before a run that leaves fewer cells in its results file than the `before` that are in it.
std::string narrowing_text(const run::PreparedRun& run, std::size_t before);
/// What earlier runs with --only put into the results file, and this one leaves there; empty: nothing.
std::string staying_text(const run::PreparedRun& run);
/// For stderr, before a run: the schemes whose plugins nobody has ever checked; empty if there are none.
std::string unchecked_text(const std::vector<std::string>& schemes);
/// For stderr, where an earlier study has ended the command.
std::string not_begun_text(const run::PreparedRun& run);

}  // namespace poslab::app
