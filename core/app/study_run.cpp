// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/study_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unordered_map>

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
#include "poslab/run/laboratory.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/progress.hpp"
#include "poslab/run/shards.hpp"
#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::app {
namespace {

// Outcomes by their place in the plan: those of earlier runs, and those of this one, which go to the journal first and are
// reported as done once they are on disk.
class Kept : public run::RecordSink {
 public:
  Kept(const spec::Plan& plan, const host::Library& library, run::Progress& progress)
      : plan_(plan), library_(library), progress_(progress), outcomes_(plan.cells.size()) {}

  void take_over(const run::Journal& journal, const std::vector<run::Standing>& standings) {
    for (std::size_t i = 0; i < standings.size(); ++i)
      if (standings[i] == run::Standing::kept) outcomes_[i] = journal.outcome(plan_.cells[i].id);
  }
  /// The cells that are performed now, by their place in the plan.
  void begin(run::Journal& journal, const std::vector<std::size_t>& places) {
    journal_ = &journal, places_ = &places;
    journal.report_to([this](const std::vector<std::size_t>& done) { report(done); });
  }
  ~Kept() override {
    if (journal_) journal_->report_to(nullptr);
  }

  void finished(std::size_t index, base::Outcome outcome) override {
    const std::size_t place = (*places_)[index];
    const base::Cell& cell = plan_.cells[place];
    outcomes_[place] = std::move(outcome);
    if (cell.skip.empty())
      journal_->add(place, cell, *outcomes_[place], library_.at(cell.variant.scheme)->info().file_hash);
    else
      report({place});
  }
  void report(const std::vector<std::size_t>& places) {
    for (const std::size_t place : places)
      progress_.finished(plan_.cells[place], *outcomes_[place], plan_.estimates[place].operations);
  }
  const base::Outcome* at(std::size_t index) const { return outcomes_[index] ? &*outcomes_[index] : nullptr; }
  const std::vector<std::optional<base::Outcome>>& outcomes() const { return outcomes_; }

 private:
  const spec::Plan& plan_;
  const host::Library& library_;
  run::Progress& progress_;
  std::vector<std::optional<base::Outcome>> outcomes_;
  run::Journal* journal_ = nullptr;
  const std::vector<std::size_t>* places_ = nullptr;
};

// What is left of a plan, and where its cells stand in it.
struct Remaining {
  spec::Plan plan;
  std::vector<std::size_t> places;
  double work = 0;
  Remaining(const spec::Plan& whole, const std::vector<run::Standing>& standings) {
    for (std::size_t i = 0; i < whole.cells.size(); ++i) {
      if (standings[i] == run::Standing::kept) continue;
      plan.cells.push_back(whole.cells[i]);
      plan.estimates.push_back(whole.estimates[i]);
      places.push_back(i);
      work += whole.estimates[i].operations;
    }
  }
};

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
    if (const base::Outcome* outcome = kept.at(i)) rows.push_back({&plan.cells[i], [outcome] { return *outcome; }});
  return rows;
}

}  // namespace

Exit run_study(const RunRequest& request, const host::Library& library) {
  const base::Catalogue catalogue = catalogue_of(library);
  const spec::Study study = spec::read_study(request.study, catalogue, request.overrides);
  run::Laboratory laboratory(library);
  const run::ShardPlan part =
      run::cut(spec::make_plan(study, catalogue, [&](const base::Cell& cell) { return laboratory.forecast(cell); }),
               request.shard);
  const spec::Plan& plan = part.plan;
  const int threads = request.threads > 0 ? request.threads : run::processors();
  const double memory = request.memory > 0 ? request.memory : 0.8 * run::available_memory();
  std::string output =
      request.output.empty() ? std::filesystem::path(request.study).stem().string() + ".h5" : request.output;
  if (request.shard) output = run::shard_output(output, *request.shard).string();
  if (request.shard)
    std::fputs(fmt::format("shard {}: {} of {} cells\n", request.shard->text(), plan.cells.size(), part.whole).c_str(),
               request.plan_only ? stdout : stderr);
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

  const auto expectations = request.shard
                                ? run::left_to_merge(plan.expectations)
                                : run::judge(plan.expectations, plan.cells, [&](std::size_t i) { return kept.at(i); });
  const auto rows = rows_of(plan, kept);
  results::Description description = describe(study, catalogue, plan, rows.size() == plan.cells.size());
  if (request.shard) description.shard = shard_part(*request.shard, part);
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
  if (request.shard) return all_well;  // expectations are for the merge
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& e) { return e.verdict == base::Verdict::holds; });
  return all_hold ? all_well : expectation_failed;
}

}  // namespace poslab::app
