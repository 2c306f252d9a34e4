// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/study_run.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unordered_map>

#include "poslab/app/kept.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/plan_text.hpp"
#include "poslab/app/plugins.hpp"
#include "poslab/app/provenance.hpp"
#include "poslab/app/summary.hpp"
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

std::vector<run::Standing> standings_of(const spec::Plan& plan, const host::Library& library,
                                        const std::unordered_map<std::string, run::JournalKnown>& known) {
  return run::standings(plan.cells, known,
                        [&](const std::string& scheme) { return library.at(scheme)->info().file_hash; });
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
    if (const base::Outcome* outcome = kept.at(i)) rows.push_back({&plan.cells[i], [outcome] { return *outcome; }});
  return rows;
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
    const auto known = request.fresh ? decltype(run::Journal::read(journal_path)){} : run::Journal::read(journal_path);
    std::fputs(plan_text(study, plan, standings_of(plan, library, known), threads, memory).c_str(), stdout);
    return all_well;
  }
  refuse_what_does_not_fit(plan, memory, request.force);
  require_writable(output, study.hash(), request.fresh);

  const run::InterruptGuard guard;
  if (request.fresh) std::filesystem::remove(journal_path);
  run::Journal journal(journal_path);
  for (const std::string& notice : journal.notices()) std::fputs(("poslab: " + notice + "\n").c_str(), stderr);
  const std::vector<run::Standing> standings = standings_of(plan, library, journal.known());
  const Remaining remaining(plan, standings);
  run::Progress progress(stderr, isatty(STDERR_FILENO) != 0, remaining.plan.cells.size(), remaining.work);
  Kept kept(plan, library, progress);
  kept.take_over(journal, standings);
  kept.begin(journal, remaining.places);
  if (const std::size_t done = plan.cells.size() - remaining.places.size(); done > 0)
    progress.say(fmt::format("{} of {} cells are kept from an earlier run", done, plan.cells.size()));
  const Stopwatch watch;
  run::perform_all(
      remaining.plan, [&](const base::Cell& cell) { return laboratory.perform(cell); },
      {threads, memory, request.fail_fast, &guard.stop()}, kept);
  journal.commit();
  progress.end();

  const auto expectations = run::judge(plan.expectations, plan.cells, [&](std::size_t i) { return kept.at(i); });
  const auto rows = rows_of(plan, kept);
  results::Description description = describe(study, catalogue, plan, rows.size() == plan.cells.size());
  description.provenance = provenance_of(study, request, description, threads, watch);
  const std::string written = write_results(output, description, rows, expectations);
  std::fputs(summary(plan, catalogue, kept.outcomes(), expectations, terminal_width()).c_str(), stdout);
  std::fputs(closing_line(plan, kept.outcomes(), watch.seconds(), written).c_str(), stdout);

  if (guard.stop().load() && rows.size() < plan.cells.size()) return interrupted;
  if (written != output || rows.size() < plan.cells.size()) return cells_failed;
  for (const results::Row& row : rows) {
    const base::Status status = row.outcome().status;
    if (status != base::Status::ok && status != base::Status::skipped) return cells_failed;
  }
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& e) { return e.verdict == base::Verdict::holds; });
  return all_hold ? all_well : expectation_failed;
}

}  // namespace poslab::app
