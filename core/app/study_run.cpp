// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/study_run.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
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
#include "poslab/app/version.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/laboratory.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/progress.hpp"
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
                          const base::Catalogue& catalogue, const std::filesystem::path& journal, int threads,
                          double memory) {
  const run::JournalContent content = request.fresh ? run::JournalContent{} : run::Journal::read(journal);
  const run::Standings standings(content.known, catalogue);
  return plan_text(study, plan, standings.of(plan.cells), threads, memory) + others_text(plan, content.known) +
         (request.verbose ? cells_text(plan, standings) : "");
}

run::JournalRun journal_run(const spec::Study& study, const spec::Plan& plan, std::size_t to_run) {
  run::JournalRun run{study.title, study.hash(), study.path, study.resolved(), "", version()};
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

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 120;
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

std::vector<results::Row> rows_of(const spec::Plan& plan, const Kept& kept) {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < plan.cells.size(); ++i)
    if (kept.briefs()[i]) rows.push_back({&plan.cells[i], [&kept, i] { return kept.read(i).value(); }});
  return rows;
}

// The journal, or the disk for the results, gave up: everything that was reported done is in the journal.
Exit stopped(const base::FileError& problem, const std::filesystem::path& journal) {
  std::fputs(fmt::format("poslab: {}\nposlab: the run stops here; {} says how far it is\n", problem.what(),
                         "poslab status " + journal.string())
                 .c_str(),
             stderr);
  return unfinished;
}

Exit exit_of(const Kept& kept, const std::vector<base::ExpectationResult>& expectations) {
  for (const auto& brief : kept.briefs())
    if (!brief || (brief->status != base::Status::ok && brief->status != base::Status::skipped)) return cells_failed;
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& e) { return e.verdict == base::Verdict::holds; });
  return all_hold ? all_well : expectation_failed;
}

}  // namespace

Exit run_study(const RunRequest& request, const host::Library& library) {
  const base::Catalogue catalogue = catalogue_of(library);
  const spec::Study study = spec::read_study(request.study, catalogue, request.overrides);
  run::Laboratory laboratory(library);
  const spec::Plan plan =
      spec::make_plan(study, catalogue, [&](const base::Cell& cell) { return laboratory.forecast(cell); });
  const int threads = request.threads > 0 ? request.threads : run::processors();
  const double memory = request.memory > 0 ? request.memory : 0.8 * run::available_memory();
  const std::string output =
      request.output.empty() ? std::filesystem::path(request.study).stem().string() + ".h5" : request.output;
  const std::filesystem::path journal_path = run::Journal::beside(output);
  if (request.plan_only) {
    std::fputs(plan_in_words(request, study, plan, catalogue, journal_path, threads, memory).c_str(), stdout);
    return all_well;
  }
  refuse_what_does_not_fit(plan, memory, request.force);
  require_writable(output, study.hash(), request.fresh, [&] { return is_continued(journal_path, plan, catalogue); });

  const run::InterruptGuard guard;
  run::Journal journal(journal_path, request.fresh ? run::Journal::Start::fresh : run::Journal::Start::resume);
  for (const std::string& notice : journal.notices()) std::fputs(("poslab: " + notice + "\n").c_str(), stderr);
  const std::vector<run::Standing> standings = run::Standings(journal.known(), catalogue).of(plan.cells);
  const Remaining remaining(plan, standings);
  run::Progress progress(stderr, isatty(STDERR_FILENO) != 0, remaining.plan.cells.size(), remaining.work);
  journal.begin(journal_run(study, plan, remaining.places.size()));
  Kept kept(plan, catalogue, journal, progress);
  kept.take_over(standings);
  kept.begin(remaining.places);
  if (const std::size_t done = plan.cells.size() - remaining.places.size(); done > 0)
    progress.say(fmt::format("{} of {} cells are kept from an earlier run", done, plan.cells.size()));
  const Stopwatch watch;
  try {
    run::perform_all(
        remaining.plan, [&](const base::Cell& cell) { return laboratory.perform(cell); },
        {threads, memory, request.fail_fast, &guard.stop()}, kept);
    journal.commit();
  } catch (const base::FileError& problem) {
    progress.end();
    return stopped(problem, journal_path);
  }
  progress.end();

  const auto expectations = run::judge(plan.expectations, plan.cells, [&](std::size_t i) { return kept.read(i); });
  const auto rows = rows_of(plan, kept);
  results::Description description = describe(study, catalogue, plan, rows.size() == plan.cells.size());
  description.provenance = provenance_of(study, request, description, threads, watch);
  std::string written;
  try {
    written = write_results(output, description, rows, expectations);
  } catch (const base::FileError& problem) {
    return stopped(problem, journal_path);
  }
  std::fputs(summary(plan, catalogue, kept.briefs(), expectations, terminal_width()).c_str(), stdout);
  std::fputs(closing_line(plan, kept.briefs(), watch.seconds(), written).c_str(), stdout);

  if (guard.stop().load() && rows.size() < plan.cells.size()) return interrupted;
  return written != output ? cells_failed : exit_of(kept, expectations);
}

}  // namespace poslab::app
