// SPDX-License-Identifier: Apache-2.0
#include "commands/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "commands/beside.hpp"
#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "commands/plugins.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/check/plugin_checks.hpp"
#include "poslab/host/python.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/process/interrupt.hpp"
#include "poslab/run/library.hpp"
#include "poslab/run/narrowing.hpp"
#include "poslab/run/runnable.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/run/version.hpp"
#include "poslab/workers/backend.hpp"
#include "terminal/terminal.hpp"
#include "text/progress_line.hpp"

namespace poslab::app {
namespace {

constexpr double max_checkpoint_seconds = 3600;  // seconds of work that a kill may cost

// What --only names: a Python file has another path where a job starts.
std::string named_to_jobs(const std::string& name) { return host::is_python(name) ? absolute_path(name) : name; }

struct RunOptions final : Options {
  RunOptions() { words = {1, Words::any, study_files}; }

  Heading what_to_run{this, "what to run"};
  Texts only{
      this, option("only", "ID", "keep scheme, experiment, AXIS=VALUE (may be repeated)", names_of_all, named_to_jobs)};
  Assignments axis{this,
                   option("axis", "NAME=A,B,..", "other values for an axis (may be repeated)", axis_names, as_typed)};
  Flag plan{this, flag("plan", "say what would run and what it needs, and stop")};
  Flag verbose{this, flag("verbose", "every measure at the end; with --plan, every cell")};
  PluginsOption plugins{this};

  Heading what_it_is_given{this, "what it is given"};
  SupplyOptions supply{this};

  Heading results{this, "results"};
  Text output{this, option("output", "FILE", "results file (with one study)", results_files, nullptr, 'o'),
              accepted(output_name())};
  Text beside{this,
              option("beside", "OTHERS.h5", "answers among those of this file, in a page FILE.md", results_files)};
  Flag fresh{this, flag("fresh", "forget earlier runs; replace what the file holds")};
  Text shard{this, option("shard", "I/N", "the I-th of N parts, for merge; slurm: of a job array")};

  Heading machine{this, "machine"};
  ThreadsOption threads{this};
  Option<int> workers{this, option("workers", "N", "processes that share the threads", nullptr, as_typed), usual(1)};
  MemoryOption memory{this};
  Flag force{this, flag("force", "run even what is estimated to need more memory")};

  Heading what_goes_wrong{this, "what goes wrong"};
  Flag fail_fast{this, flag("fail-fast", "start nothing more after the first failed cell")};
  CellTimeOption cell_time{this};
  Option<double> checkpoint{this, option("checkpoint", "SECONDS", "between checkpoints of a long cell; 0: each step"),
                            usual(20.0, between(0.0, max_checkpoint_seconds))};
  Flag check_plugins{this, flag("check-plugins", "first poslab check for every scheme; kept in the results")};
  Flag in_process{this, flag("in-process", "perform the cells in this process, for a debugger")};
};

// What --only names, and what of an axis it keeps; a Python file may have an = in its name.
bool is_of_axis(const std::string& only) { return only.find('=') != std::string::npos && !host::is_python(only); }

std::vector<std::string> named_only(const RunOptions& asked) {
  std::vector<std::string> names = *asked.only;
  std::erase_if(names, is_of_axis);
  return names;
}

std::vector<std::pair<std::string, std::string>> values_only(const RunOptions& asked) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& only : *asked.only)
    if (is_of_axis(only)) values.emplace_back(only.substr(0, only.find('=')), only.substr(only.find('=') + 1));
  return values;
}

// The results file that is asked for, or, beside another one, STUDY-SCHEME.h5; empty: the study's own.
std::string output_of(const RunOptions& asked) {
  const bool is_one_scheme = asked.only->size() == 1 && !is_of_axis(asked.only->front());
  if (asked.output.is_given() || !asked.beside.is_given() || !is_one_scheme) return *asked.output;
  const std::filesystem::path study(asked.words.given.front()), scheme(asked.only->front());
  return fmt::format("{}-{}.h5", study.stem().string(), (host::is_python(scheme) ? scheme.stem() : scheme).string());
}

// A plan may be looked at from where nothing can be run, so a refusal is no error here.
void print_plan(const run::PreparedRun& run, bool verbose) {
  const auto content = run.request.fresh ? journal::JournalContent{} : journal::readable_content(run.journal);
  for (const std::string& notice : content.notices) print(stderr, "poslab: " + base::printable(notice) + "\n");
  print(stdout, plan_text(run, run::overview_of(run, content), verbose));
  if (const auto refusal = run::why_not_runnable(run))
    print(stdout, fmt::format("\nNothing would run, as things stand: {}\n", refusal->reason));
}

run::Ending perform(const run::PreparedRun& run, const RunOptions& asked, workers::Backend& backend,
                    const std::atomic<bool>& stop) {
  run::RunResult result;
  {
    ProgressLine progress(stderr, isatty(STDERR_FILENO) != 0, colours_of(STDERR_FILENO), terminal_width(STDERR_FILENO));
    result = run::run_study(run, backend, progress, stop);
  }
  print(stdout, result_text(run, result, *asked.plugins, summary_style(*asked.verbose)));
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
  std::signal(SIGPIPE, SIG_IGN);        // who reads what we say may go, or Ctrl-C ends it: the results do not need it
  Series series{*asked.fail_fast};
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    if (!series.goes_on) {
      print(stderr, fmt::format("poslab: {} was not begun\n", base::printable(run->request.study)));
      continue;
    }
    try {
      const run::Ending ending = perform(*run, asked, backend, guard.stop());
      series.add(ending, run + 1 != runs.end(), guard.stop().load());
    } catch (const base::Error& failure) {
      print(stderr, fmt::format("poslab: {}\n", failure.what()));
      series.fail(failure.kind);
    }
  }
  return series.exit;
}

void require_report(const RunOptions& asked) {
  if (!asked.beside.is_given()) return;
  if (asked.words.given.size() > 1)
    throw UsageError("--beside names a results file of one study, but several were given");
  if (asked.shard.is_given())
    throw UsageError("--beside reports answers, which a shard has not: merge the shards first");
  if (std::error_code none; !std::filesystem::is_regular_file(*asked.beside, none))
    throw UsageError(fmt::format("--beside {}: there is no such file", base::printable(*asked.beside)));
  const std::string output = output_of(asked);
  if (std::error_code none; output.empty() || std::filesystem::equivalent(output, *asked.beside, none))
    throw UsageError("--beside needs another results file for what is run: name it with -o, or one scheme with --only");
  if (!*asked.plan) require_reportable(*asked.beside, output, *asked.fresh);
}

// Whether all of it is there. A training that diverged is a failed cell, and a row of the report.
bool is_complete(Exit exit) { return exit == all_well || exit == expectation_failed || exit == cells_failed; }

int run_studies(const RunOptions& asked) {
  require_report(asked);
  if (asked.words.given.size() > 1 && asked.output.is_given())
    throw UsageError("-o names one file, but several studies were given");
  if (*asked.in_process && (asked.workers.is_given() || asked.cell_time.is_given()))
    throw UsageError(
        "--in-process performs the cells here: there are no --workers, and no --cell-time that could end one");
  const run::RunRequest request = run_request(asked);
  if (!*asked.in_process) between(1, request.threads, ", the number of --threads")("workers", request.workers);
  const auto backend = workers::make_backend(
      {request.threads, request.workers, request.memory + bytes_beside_cells, *asked.cell_time, *asked.checkpoint});
  const host::Library library = open_library(*asked.plugins, *backend, asked.words.given, named_only(asked));
  auto runs = run::prepare_runs(asked.words.given, request, run::catalogue_of(library), *backend);
  if (*asked.plan) {
    for (const run::PreparedRun& run : runs) {
      print(stderr, staying_text(run));
      print_plan(run, *asked.verbose);
    }
    return all_well;
  }
  for (const run::PreparedRun& run : runs) {
    print(stderr, shard_line(run));
    print(stderr, staying_text(run));
    run::require_runnable(run);
    if (const auto before = run::larger_previous_plan(run)) print(stderr, narrowing_text(run, *before));
  }
  const data::PluginChecks checks = plugin_checks(run::schemes_of(runs), *asked.check_plugins);
  for (run::PreparedRun& run : runs) run.request.plugin_checks = checks;
  const Exit exit = perform_runs(runs, asked, *backend);
  if (asked.beside.is_given() && is_complete(exit)) report_beside(*asked.beside, output_of(asked));
  return exit;
}

}  // namespace

std::unique_ptr<Options> run_options() { return std::make_unique<RunOptions>(); }

run::RunRequest run_request(const Options& of_run) {
  const auto& asked = static_cast<const RunOptions&>(of_run);
  run::RunRequest request;
  request.output = output_of(asked);
  request.threads = asked.threads.count();
  request.workers = *asked.in_process ? 0 : *asked.workers;
  request.memory = asked.memory.bytes();
  request.overrides = {*asked.axis, named_only(asked), asked.beside.is_given(), values_only(asked)};
  request.supply = asked.supply.request();
  request.fail_fast = *asked.fail_fast;
  request.force = *asked.force;
  request.fresh = *asked.fresh;
  if (asked.shard.is_given())
    request.shard = run::parse_shard(*asked.shard, [](const char* name) { return std::getenv(name); });
  request.command_line = asked.arguments();
  request.beside = *asked.beside;
  return request;
}

const std::vector<std::string>& plugin_directories(const Options& of_run) {
  return *static_cast<const RunOptions&>(of_run).plugins;
}

Command run_command() {
  return with_action({.name = "run",
                      .sentence = "run studies, each into one results file",
                      .usage = "STUDY.toml [STUDY.toml ...]",
                      .what = "Measures what a study asks for and writes ./STUDY.h5. Run it again to continue where it "
                              "stopped.",
                      .shown = {"poslab run quickstart.toml",
                                "poslab run quickstart.toml --axis length=128,256 --only rope -o small.h5"},
                      .exit_codes = "0 all well, 1 an expectation failed, 2 the study is wrong, 3 some cells failed, 4 "
                                    "stopped (what is done is kept), 75 another process is writing this file, 130 "
                                    "interrupted."},
                     run_studies);
}

}  // namespace poslab::app
