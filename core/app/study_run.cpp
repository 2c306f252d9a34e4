// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/study_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "poslab/app/kept.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/plan_text.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/provenance.hpp"
#include "poslab/app/summary.hpp"
#include "poslab/app/terminal.hpp"
#include "poslab/app/version.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/progress.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {
namespace {

// Whether a journal holds anything of this plan, be it under another seed or version: then the study was changed, and
// running it is a resume. What the results file held stays in the journal.
bool is_continued(const std::filesystem::path& journal, const spec::Plan& plan, const base::Catalogue& catalogue) {
  run::JournalContent content;
  try {
    content = run::Journal::read(journal);
  } catch (const base::FileError&) {
    return false;  // a corrupt one: nothing can be continued
  }
  const run::Standings standings(content.known, catalogue);
  return std::any_of(plan.cells.begin(), plan.cells.end(),
                     [&](const base::Cell& cell) { return standings.of(cell) != run::Standing::fresh; });
}

std::string plan_in_words(const RunRequest& request, const spec::Study& study, const spec::Plan& plan,
                          const base::Catalogue& catalogue, const std::filesystem::path& journal) {
  const run::JournalContent content = request.fresh ? run::JournalContent{} : run::Journal::read(journal);
  const run::Standings standings(content.known, catalogue);
  return plan_text(study, plan, standings.of(plan.cells), request.threads, request.memory) +
         others_text(plan, content.known) + (request.verbose ? cells_text(plan, standings) : "");
}

run::JournalRun journal_run(const spec::Study& study, const spec::Plan& plan, std::size_t to_run,
                            const std::string& shard) {
  run::JournalRun run{study.title, study.hash(), study.path, study.resolved(), shard, version()};
  run.planned = plan.cells.size();
  run.kept = plan.cells.size() - to_run;
  for (const base::Cell& cell : plan.cells) run.skipped += cell.skip.empty() ? 0 : 1;
  return run;
}

void refuse_what_does_not_fit(const spec::Plan& plan, double memory, bool force) {
  const auto largest = std::max_element(plan.estimates.begin(), plan.estimates.end(),
                                        [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  if (force || largest == plan.estimates.end() || largest->bytes <= memory) return;
  const base::Cell& cell = plan.cells[static_cast<std::size_t>(largest - plan.estimates.begin())];
  throw base::Error(
      fmt::format("{} of {} at {} is estimated to need {}, but the memory budget is {}; make it smaller, raise "
                  "--memory, or --force it",
                  cell.experiment, cell.variant.label, axes_text(cell), base::human_bytes(largest->bytes),
                  base::human_bytes(memory)));
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

std::string set_aside_text(const run::SetAside& plugin, const RunRequest& request) {
  return fmt::format(
      "\n{1} was set aside: it ended worker after worker. Alone, and with a debugger if you like:\n"
      "  poslab run {0} --only {1} --in-process -o {1}-alone.h5\n  ({2}, sha256 {3})\n",
      request.study, plugin.scheme, plugin.file, plugin.file_hash);
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

Exit exit_of(const Kept& kept, const std::vector<base::ExpectationResult>& expectations, bool is_shard) {
  for (const auto& brief : kept.briefs())
    if (!brief || (brief->status != base::Status::ok && brief->status != base::Status::skipped)) return cells_failed;
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& e) { return e.verdict == base::Verdict::holds; });
  return all_hold || is_shard ? all_well : expectation_failed;  // a shard's are for the merge
}

// What a run is of, and where it goes.
struct Job {
  base::Catalogue catalogue;
  spec::Study study;
  run::ShardPlan part;
  std::string output;
  std::filesystem::path journal;
};

Job job_of(const RunRequest& request, const host::Library& library, run::Workshop& workshop) {
  Job job{catalogue_of(library), {}, {}, request.output, {}};
  job.study = spec::read_study(request.study, job.catalogue, request.overrides);
  job.part =
      run::cut(spec::make_plan(job.study, job.catalogue,
                               [&](const std::vector<const base::Cell*>& cells) { return workshop.forecast(cells); }),
               request.shard);
  if (job.output.empty()) job.output = std::filesystem::path(request.study).stem().string() + ".h5";
  if (request.shard) job.output = run::shard_output(job.output, *request.shard).string();
  job.journal = run::Journal::beside(job.output);
  return job;
}

// Performs what is left and keeps it in the journal. Throws base::FileError where that cannot be written.
void perform(const RunRequest& request, const Job& job, run::Workshop& workshop, run::Journal& journal, Kept& kept,
             run::Progress& progress, const Remaining& remaining, const std::atomic<bool>& stop) {
  journal.begin(
      journal_run(job.study, job.part.plan, remaining.places.size(), request.shard ? request.shard->option() : ""));
  kept.begin(remaining.places);
  if (const std::size_t done = job.part.plan.cells.size() - remaining.places.size(); done > 0)
    progress.say(fmt::format("{} of {} cells are kept from an earlier run", done, job.part.plan.cells.size()));
  run::perform_all(remaining.plan, workshop, {request.memory, request.fail_fast, &stop}, kept);
  journal.commit();
}

// Writes the results file and sums up.
Exit conclude(const RunRequest& request, const Job& job, const run::Workshop& workshop, const Kept& kept,
              const Stopwatch& watch, bool stopped_early) {
  const spec::Plan& plan = job.part.plan;
  const auto expectations =
      request.shard ? run::left_to_merge(plan.expectations)
                    : run::judge(plan.expectations, plan.cells, [&](std::size_t i) { return kept.read(i); });
  const auto rows = rows_of(plan, kept);
  results::Description description = describe(job.study, job.catalogue, plan, rows.size() == plan.cells.size());
  if (request.shard) description.shard = shard_part(*request.shard, job.part);
  description.provenance = provenance_of(job.study, request, description, watch);
  results::write(job.output, description, rows, expectations);
  std::fputs(summary(plan, job.catalogue, kept.briefs(), expectations, terminal_width()).c_str(), stdout);
  for (const run::SetAside& plugin : workshop.set_aside()) std::fputs(set_aside_text(plugin, request).c_str(), stdout);
  std::fputs(closing_line(plan, kept.briefs(), watch.seconds(), job.output).c_str(), stdout);
  if (stopped_early && rows.size() < plan.cells.size()) return interrupted;
  return exit_of(kept, expectations, request.shard.has_value());
}

}  // namespace

Exit run_study(const RunRequest& request, const host::Library& library, run::Workshop& workshop) {
  const Job job = job_of(request, library, workshop);
  const spec::Plan& plan = job.part.plan;
  if (request.shard)
    std::fputs(
        fmt::format("shard {}: {} of {} cells\n", request.shard->text(), plan.cells.size(), job.part.whole).c_str(),
        request.plan_only ? stdout : stderr);
  if (request.plan_only) {
    std::fputs(plan_in_words(request, job.study, plan, job.catalogue, job.journal).c_str(), stdout);
    return all_well;
  }
  refuse_what_does_not_fit(plan, request.memory, request.force);
  // A shard may have had no cell, or none that is still asked for, before the study grew.
  require_writable(job.output, job.study.hash(), request.fresh, [&] {
    return (request.shard && std::filesystem::exists(job.journal)) || is_continued(job.journal, plan, job.catalogue);
  });

  const run::InterruptGuard guard;
  run::Journal journal(job.journal, request.fresh ? run::Journal::Start::fresh : run::Journal::Start::resume);
  results::clear_leftovers(job.output);
  for (const std::string& notice : journal.notices()) std::fputs(("poslab: " + notice + "\n").c_str(), stderr);
  const std::vector<run::Standing> standings = run::Standings(journal.known(), job.catalogue).of(plan.cells);
  const Remaining remaining(plan, standings);
  run::Progress progress(stderr, isatty(STDERR_FILENO) != 0, remaining.plan.cells.size(), remaining.work);
  Kept kept(plan, job.catalogue, journal, progress);
  kept.take_over(standings);
  const Stopwatch watch;
  try {
    perform(request, job, workshop, journal, kept, progress, remaining, guard.stop());
    progress.end();
    return conclude(request, job, workshop, kept, watch, guard.stop().load());
  } catch (const base::FileError& problem) {
    progress.end();
    return stopped(problem, job.journal);
  }
}

}  // namespace poslab::app
