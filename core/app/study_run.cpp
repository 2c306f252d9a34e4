// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/study_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "poslab/app/bash_words.hpp"
#include "poslab/app/kept.hpp"
#include "poslab/app/plan_text.hpp"
#include "poslab/app/provenance.hpp"
#include "poslab/app/study_job.hpp"
#include "poslab/app/summary.hpp"
#include "poslab/app/terminal.hpp"
#include "poslab/app/version.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/progress.hpp"
#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {
namespace {

run::JournalRun journal_run(const spec::Study& study, const spec::Plan& plan, std::size_t to_run,
                            const std::string& shard) {
  run::JournalRun run{study.title, study.hash(), study.path, study.resolved(), shard, version()};
  run.planned = plan.cells.size();
  run.kept = plan.cells.size() - to_run;
  for (const base::Cell& cell : plan.cells) run.skipped += cell.skip.empty() ? 0 : 1;
  return run;
}

results::Description describe(const spec::Study& study, const base::Catalogue& catalogue, const spec::Plan& plan,
                              bool complete) {
  results::Description description;
  description.title = study.title;
  description.study_hash = study.hash();
  description.complete = complete;
  description.planned_cells = plan.cells.size();
  for (const spec::ExperimentUse& use : study.experiments)
    if (std::none_of(description.experiments.begin(), description.experiments.end(),
                     [&](const auto& info) { return info.id == use.id; }))
      description.experiments.push_back(*catalogue.experiment(use.id));
  for (const spec::SchemeUse& use : study.schemes)
    if (std::none_of(description.schemes.begin(), description.schemes.end(),
                     [&](const auto& info) { return info.id == use.id; }))
      description.schemes.push_back(*catalogue.scheme(use.id));
  return description;
}

// What the file of a shard needs for its merge.
results::ShardPart shard_part(const base::Shard& shard, const run::ShardPlan& part) {
  results::ShardPart result{shard, version(), part.plan_hash, part.whole, part.plan.expectations, {}, part.places};
  for (const base::Cell& cell : part.plan.cells) result.cells.push_back(&cell);
  return result;
}

std::vector<results::Row> rows_of(const spec::Plan& plan, const Kept& kept) {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < plan.cells.size(); ++i)
    if (kept.briefs()[i]) rows.push_back({&plan.cells[i], [&kept, i] { return kept.read(i).value(); }});
  return rows;
}

// Where plugins are, and what was changed in the study, as it was given to this command.
std::vector<std::string> given_again(const std::vector<std::string>& command_line) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < command_line.size(); ++i)
    for (const std::string option : {"--plugins", "--axis"}) {
      if (command_line[i].starts_with(option + "=")) words.push_back(command_line[i]);
      if (command_line[i] == option && i + 1 < command_line.size())
        words.insert(words.end(), {option, command_line[i + 1]});
    }
  return words;
}

std::string set_aside_text(const run::SetAside& plugin, const RunRequest& request) {
  std::vector<std::string> words{"poslab", "run", request.study, "--only", plugin.scheme, "--in-process"};
  for (const std::string& word : given_again(request.command_line)) words.push_back(word);
  words.insert(words.end(), {"-o", plugin.scheme + "-alone.h5"});
  return fmt::format(
      "\n{} was set aside: it ended worker after worker. Alone, and with a debugger if you like:\n"
      "  {}\n  ({}, sha256 {})\n",
      plugin.scheme, bash_words(words), plugin.file, plugin.file_hash);
}

// The journal, or the disk for the results, gave up: everything that was reported done is in the journal.
Exit stopped(const base::FileError& problem, const std::filesystem::path& journal) {
  std::fputs(
      fmt::format("poslab: {}\nposlab: the run stops here; the same command goes on from there (poslab status {} "
                  "says how far it is)\n",
                  problem.what(), journal.string())
          .c_str(),
      stderr);
  return unfinished;
}

// By --fail-fast: nothing else leaves cells out.
Exit stopped_at_failure(const spec::Plan& plan, std::size_t done) {
  std::fputs(fmt::format("poslab: stopped at the first failed cell, with {} of {} left; the same command without "
                         "--fail-fast goes on from there\n",
                         plan.cells.size() - done, plan.cells.size())
                 .c_str(),
             stderr);
  return unfinished;
}

Exit exit_of(const Kept& kept, const std::vector<base::ExpectationResult>& expectations, bool is_shard) {
  for (const auto& brief : kept.briefs())
    if (!brief || (brief->status != base::Status::ok && brief->status != base::Status::skipped)) return cells_failed;
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& e) { return e.verdict == base::Verdict::holds; });
  return all_hold || is_shard ? all_well : expectation_failed;  // a shard's are for the merge
}

// Performs what is left and keeps it in the journal. Throws base::FileError where that cannot be written.
void perform(const StudyJob& job, run::Workshop& workshop, run::Journal& journal, Kept& kept, run::Progress& progress,
             const Remaining& remaining, const std::atomic<bool>& stop) {
  const RunRequest& request = job.request;
  journal.begin(
      journal_run(job.study, job.part.plan, remaining.places.size(), request.shard ? request.shard->option() : ""));
  kept.begin(remaining.places);
  if (const std::size_t done = job.part.plan.cells.size() - remaining.places.size(); done > 0)
    progress.say(fmt::format("{} of {} cells are kept from an earlier run", done, job.part.plan.cells.size()));
  run::perform_all(remaining.plan, workshop, {request.memory, request.fail_fast, &stop}, kept);
  journal.commit();
}

// Writes the results file and sums up.
Exit conclude(const StudyJob& job, const run::Workshop& workshop, const Kept& kept, const Stopwatch& watch,
              bool was_interrupted) {
  const RunRequest& request = job.request;
  const spec::Plan& plan = job.part.plan;
  const auto expectations =
      request.shard ? run::left_to_merge(plan.expectations)
                    : run::judge(plan.expectations, plan.cells, [&](std::size_t i) { return kept.read(i); });
  const auto rows = rows_of(plan, kept);
  results::Description description = describe(job.study, job.catalogue, plan, rows.size() == plan.cells.size());
  if (request.shard) description.shard = shard_part(*request.shard, job.part);
  description.provenance = provenance_of(job.study, request, description, watch, kept.machines());
  results::write(job.output, description, rows, expectations);
  std::fputs(summary(plan, job.catalogue, kept.briefs(), expectations, terminal_width()).c_str(), stdout);
  for (const run::SetAside& plugin : workshop.set_aside()) std::fputs(set_aside_text(plugin, request).c_str(), stdout);
  std::fputs(closing_line(plan, kept.briefs(), watch.seconds(), job.output).c_str(), stdout);
  if (rows.size() < plan.cells.size()) return was_interrupted ? interrupted : stopped_at_failure(plan, rows.size());
  return exit_of(kept, expectations, request.shard.has_value());
}

Exit run_job(const StudyJob& job, run::Workshop& workshop, const std::atomic<bool>& stop) {
  const spec::Plan& plan = job.part.plan;
  run::Journal journal(job.journal, job.request.fresh ? run::Journal::Start::fresh : run::Journal::Start::resume);
  results::clear_leftovers(job.output);
  for (const std::string& notice : journal.notices()) std::fputs(("poslab: " + notice + "\n").c_str(), stderr);
  const std::vector<run::Standing> standings = run::Standings(journal.known(), job.catalogue).of(plan.cells);
  if (const std::string others = others_text(plan, journal.known()); !others.empty())
    std::fputs(("poslab:" + others).c_str(), stderr);
  const Remaining remaining(plan, standings);
  run::Progress progress(stderr, isatty(STDERR_FILENO) != 0, remaining.plan.cells.size(), remaining.work);
  Kept kept(plan, job.catalogue, journal, progress);
  const Stopwatch watch;
  try {
    kept.take_over(standings);
    perform(job, workshop, journal, kept, progress, remaining, stop);
    progress.end();
    return conclude(job, workshop, kept, watch, stop.load());
  } catch (const base::FileError& problem) {
    progress.end();
    return stopped(problem, job.journal);
  }
}

// A plan may be looked at from where nothing can be run, so it is no error.
void say_if_refused(const StudyJob& job) {
  try {
    require_runnable(job);
  } catch (const base::Error& reason) {
    std::fputs(fmt::format("\nNothing would run, as things stand: {}\n", reason.what()).c_str(), stdout);
  }
}

// Studies that are left when an earlier one stopped.
void say_not_begun(const std::vector<StudyJob>& jobs, std::size_t first) {
  for (std::size_t i = first; i < jobs.size(); ++i)
    std::fputs(fmt::format("poslab: {} was not begun\n", jobs[i].request.study).c_str(), stderr);
}

}  // namespace

Exit run_studies(const std::vector<std::string>& studies, const RunRequest& request, const host::Library& library,
                 run::Workshop& workshop) {
  const std::vector<StudyJob> jobs = jobs_of(studies, request, library, workshop);
  if (request.plan_only) {
    for (const StudyJob& job : jobs) {
      std::fputs(plan_in_words(job).c_str(), stdout);
      say_if_refused(job);
    }
    return all_well;
  }
  for (const StudyJob& job : jobs) {
    std::fputs(shard_line(job).c_str(), stderr);
    require_runnable(job);
  }
  const run::InterruptGuard guard;  // one for all: Ctrl-C between two studies, too, ends the command
  Exit worst = all_well;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    worst = std::max(worst, run_job(jobs[i], workshop, guard.stop()));
    const bool is_last = i + 1 == jobs.size();
    if (!is_last && guard.stop().load()) worst = interrupted;
    if (!is_last && request.fail_fast && worst == cells_failed) worst = unfinished;
    if (worst == interrupted || worst == unfinished) {
      say_not_begun(jobs, i + 1);
      break;
    }
  }
  return worst;
}

}  // namespace poslab::app
