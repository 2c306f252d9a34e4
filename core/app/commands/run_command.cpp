// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/run_options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/plan_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/app/text/progress_line.hpp"
#include "poslab/app/text/run_text.hpp"
#include "poslab/app/text/terminal.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/check/plugin_checks.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/process/interrupt.hpp"
#include "poslab/run/library.hpp"
#include "poslab/run/narrowing.hpp"
#include "poslab/run/run_study.hpp"
#include "poslab/run/version.hpp"

namespace poslab::app {
namespace {

// A plan may be looked at from where nothing can be run, so a refusal is no error here.
void print_plan(const run::PreparedRun& run, bool verbose) {
  const auto content = run.request.fresh ? journal::JournalContent{} : journal::readable_content(run.journal);
  for (const std::string& notice : content.notices) print(stderr, "poslab: " + base::printable(notice) + "\n");
  print(stdout, plan_text(run, run::overview_of(run, content), verbose));
  if (const std::string reason = run::hindrance_of(run); !reason.empty()) print(stdout, hindrance_text(reason));
}

run::Ending perform(const run::PreparedRun& run, const RunOptions& asked, workers::Backend& backend,
                    const std::atomic<bool>& stop) {
  run::RunResult result;
  {
    ProgressLine progress(stderr, isatty(STDERR_FILENO) != 0, colours_of(STDERR_FILENO), terminal_width(STDERR_FILENO));
    result = run::run_study(run, backend, progress, stop);
  }
  print(stdout, result_text(run, result, asked.plugin_directories, summary_style(asked.verbose)));
  print(stderr, problem_text(run, result));
  return result.ending;
}

data::PluginChecks plugin_checks(const std::vector<data::SchemeInfo>& schemes, bool now) {
  const auto store = check::FindingStore::of_user(run::build());
  if (now)
    return check::check_plugins(store, schemes, [](const std::string& scheme, const std::string& result) {
      print(stderr, fmt::format("checked {}: {}\n", base::printable(scheme), result));
    });
  data::PluginChecks known = check::known_checks(store, schemes);
  print(stderr, unchecked_text(check::unchecked(known)));
  return known;
}

// One after another, until one stops with cells left.
Exit perform_runs(const std::vector<run::PreparedRun>& runs, const RunOptions& asked, workers::Backend& backend) {
  const process::InterruptGuard guard;  // one for all: Ctrl-C between two studies, too, ends the command
  Series series{asked.request.fail_fast};
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    if (!series.goes_on) {
      print(stderr, not_begun_text(*run));
      continue;
    }
    const run::Ending ending = perform(*run, asked, backend, guard.stop());
    series.add(ending, run + 1 != runs.end(), guard.stop().load());
  }
  return series.exit;
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
  const RunOptions asked = run_options(arguments);
  const auto backend = workers::make_backend(asked.backend);
  const host::Library library = run::open_library(asked.plugin_directories, *backend);
  print(stderr, notices_and_refusals_text(library));
  auto runs = run::prepare_runs(asked.studies, asked.request, run::catalogue_of(library), *backend);
  if (asked.plan_only) {
    for (const run::PreparedRun& run : runs) {
      print(stderr, staying_text(run));
      print_plan(run, asked.verbose);
    }
    return all_well;
  }
  for (const run::PreparedRun& run : runs) {
    print(stderr, shard_line(run));
    print(stderr, staying_text(run));
    run::require_runnable(run);
    if (const auto before = run::wider_before(run)) print(stderr, narrowing_text(run, *before));
  }
  const data::PluginChecks checks = plugin_checks(run::schemes_of(runs), asked.check_plugins);
  for (run::PreparedRun& run : runs) run.request.plugin_checks = checks;
  return perform_runs(runs, asked, *backend);
}

}  // namespace poslab::app
