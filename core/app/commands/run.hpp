// SPDX-License-Identifier: Apache-2.0
// `poslab run`: its options, of which `poslab submit` hands some to its jobs, and what it says.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "options/options.hpp"
#include "poslab/run/plan_overview.hpp"
#include "poslab/run/run_study.hpp"
#include "text/summary.hpp"

namespace poslab::app {

/// The table of its options.
std::unique_ptr<Options> run_options();
/// What they ask for. Throws UsageError, base::Error.
run::RunRequest run_request(const Options& of_run);
/// What --plugins names.
const std::vector<std::string>& plugin_directories(const Options& of_run);

/// "shard 3 of 40: 25 of 1000 cells", or nothing
std::string shard_line(const run::PreparedRun& run);
/// What would run and what it needs; with `verbose` a line for each cell.
std::string plan_text(const run::PreparedRun& run, const run::PlanOverview& overview, bool verbose);

/// For stdout: the summary, the plugins that got no more cells, and the closing line; nothing if no file was written.
/// `directories` as given by --plugins.
StyledText result_text(const run::PreparedRun& run, const run::RunResult& result,
                       const std::vector<std::string>& directories, const SummaryStyle& style);
/// For stderr: why the run stopped before its end, or nothing.
std::string problem_text(const run::PreparedRun& run, const run::RunResult& result);
/// For stderr, before a run that leaves fewer cells in its results file than the `before` that are in it.
std::string narrowing_text(const run::PreparedRun& run, std::size_t before);
/// What earlier runs with --only put into the results file, and this one leaves there; empty: nothing.
std::string staying_text(const run::PreparedRun& run);
/// For stderr, before a run: the schemes whose plugins nobody has ever checked; empty if there are none.
std::string unchecked_text(const std::vector<std::string>& schemes);

}  // namespace poslab::app
