// SPDX-License-Identifier: Apache-2.0
// The way of a run, from the study to the results file.
#include "poslab/run/run_study.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "poslab/base/error.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "poslab/run/answers.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/narrowing.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/output.hpp"
#include "poslab/run/provenance.hpp"
#include "poslab/run/runnable.hpp"
#include "run_facts.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;

// Study, plan, the part of it that this run has, results file, journal.
PreparedRun prepare(const std::string& study, const RunRequest& request, const data::Catalogue& catalogue,
                    workers::Backend& backend, const std::shared_ptr<const Supply>& supply) {
  PreparedRun run{request, catalogue, {}, {}, request.output, {}, supply};
  run.request.study = study;
  if (run.output.empty()) run.output = fs::path(study).stem().string() + ".h5";
  if (request.shard)
    run.output = data::shard_output(run.output, *request.shard).string();
  else
    run.found = mark_of(run.output);
  if (!request.shard && !request.fresh && request.supply.weights.empty() && request.supply.networks.empty())
    run.staying = earlier_only(study, request.overrides, run.output, catalogue);
  for (const std::string& id : run.staying) run.request.overrides.only.push_back(id);
  PlannedStudy planned = plan_study(study, run.request.overrides, catalogue, backend, *supply);
  run.study = std::move(planned.study);
  run.catalogue = std::move(planned.catalogue);
  run.part = cut(std::move(planned.plan), request.shard);
  run.journal = journal::Journal::beside(run.output);
  return run;
}

// What a fresh run replaces: results of others beside its new journal would keep it from going on after a kill.
void remove_output(const std::string& output) {
  std::error_code none;  // nothing is there, or it stays until the results are written
  fs::remove(fs::canonical(output, none), none);
}

// The journal is locked. What a fresh run replaces goes; a shard writes nothing but its journal.
void prepare_output(const PreparedRun& run) {
  if (run.request.shard) return;
  if (run.request.fresh)
    remove_output(run.output);
  else
    require_unchanged(run.output, run.found);
  results::clear_leftovers(run.output);
}

results::Conclusions conclusions_of(const study::Plan& plan, const OutcomeStore& outcomes) {
  const OutcomeOf outcome_of = [&](std::size_t index) { return outcomes.read(index); };
  return {judge(plan.expectations, plan.cells, outcome_of), answer_table(plan.cells, outcome_of, plan.families)};
}

}  // namespace

std::vector<PreparedRun> prepare_runs(const std::vector<std::string>& studies, const RunRequest& request,
                                      const data::Catalogue& catalogue, workers::Backend& backend) {
  const auto supply = supply_of(request.supply, backend);
  std::vector<PreparedRun> runs;
  for (const std::string& study : studies) runs.push_back(prepare(study, request, catalogue, backend, supply));
  require_own_outputs(runs);
  supply->require_used();
  return runs;
}

RunResult run_study(const PreparedRun& run, workers::Backend& backend, RunListener& listener,
                    const std::atomic<bool>& stop) {
  const study::Plan& plan = run.part.plan;
  const RunRequest& request = run.request;
  RunResult result;
  journal::Journal journal(run.journal,
                           request.fresh ? journal::Journal::Start::fresh : journal::Journal::Start::resume);
  prepare_output(run);
  const auto states = journal::ResumePlan(journal.known(), run.catalogue).of(plan.cells);
  const std::vector<std::size_t> remaining = journal::remaining(states);
  listener.started(start_of(run, journal, remaining));
  const Stopwatch watch;
  OutcomeStore outcomes(plan, run.catalogue, journal, listener, request.shard.has_value());
  try {
    outcomes.take_over(states);
    journal.begin(journal_run(run, plan.cells.size() - remaining.size(), watch));
    perform_all(plan, remaining, backend, {request.memory, request.fail_fast, &stop, wants_to_be_alone}, outcomes);
    journal.commit();
    listener.performed();
    if (!request.shard) {  // which has a part of the cells only: its merge concludes
      const results::Conclusions conclusions = conclusions_of(plan, outcomes);
      result.expectations = conclusions.expectations;
      result.answers = conclusions.answers;
      write_results(run, outcomes, conclusions, watch);
    }
    result.ending = outcomes.is_complete() ? ending_of(outcomes.summaries(), result.expectations, bool(request.shard))
                    : stop.load()          ? Ending::interrupted
                                           : Ending::stopped_at_failure;
  } catch (const base::FileError& problem) {
    listener.performed();
    result.ending = Ending::not_written;
    result.problem = problem.what();
  }
  result.outcomes = outcomes.summaries();
  result.quarantined = backend.quarantined();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace poslab::run
