// SPDX-License-Identifier: Apache-2.0
// The way of a run, from the plan to the results file; `prepare` has read the study and planned.
#include "poslab/run/run_study.hpp"

#include <algorithm>

#include "output/results_of_run.hpp"
#include "poslab/base/error.hpp"
#include "poslab/journal/checkpoints.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "poslab/run/answers.hpp"
#include "poslab/run/engine.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/provenance.hpp"

namespace poslab::run {
namespace {

RunStart start_of(const PreparedRun& run, const journal::Journal& journal, const RemainingCells& remaining) {
  const std::size_t planned = run.part.plan.cells.size();
  const auto checkpoints = journal::checkpoints_of(run.journal);
  const auto going_on =
      std::count_if(remaining.plan.cells.begin(), remaining.plan.cells.end(), [&](const data::Cell& cell) {
        const auto found = checkpoints.find(cell.id);
        return found != checkpoints.end() && found->second.maker == journal::maker_of(cell, run.catalogue);
      });
  return {journal.notices(),
          journal::count_unasked(journal.known(), run.part.plan.cells),
          planned,
          planned - remaining.indices.size(),
          remaining.operations,
          static_cast<std::size_t>(going_on)};
}

std::vector<data::ExpectationResult> judged(const PreparedRun& run, const OutcomeStore& outcomes) {
  const study::Plan& plan = run.part.plan;
  if (run.request.shard) return left_to_merge(plan.expectations);
  return judge(plan.expectations, plan.cells, [&](std::size_t index) { return outcomes.read(index); });
}

// A shard has a part of the cells only: the merge answers.
data::AnswerTable answered(const PreparedRun& run, const OutcomeStore& outcomes) {
  if (run.request.shard) return {};
  return answer_table(run.part.plan.cells, [&](std::size_t index) { return outcomes.read(index); });
}

// By the axis of that name, an experiment says which of its cells somebody wants to know the seconds of.
bool wants_to_be_alone(const data::Cell& cell) {
  const data::Value* timed = cell.axes.find("timed");
  return timed && *timed != data::Value("nothing");
}

}  // namespace

RunResult run_study(const PreparedRun& run, workers::Backend& backend, RunListener& listener,
                    const std::atomic<bool>& stop) {
  const study::Plan& plan = run.part.plan;
  const RunRequest& request = run.request;
  RunResult result;
  journal::Journal journal(run.journal,
                           request.fresh ? journal::Journal::Start::fresh : journal::Journal::Start::resume);
  results::clear_leftovers(run.output);
  const auto states = journal::ResumePlan(journal.known(), run.catalogue).of(plan.cells);
  const RemainingCells remaining(plan, states);
  listener.started(start_of(run, journal, remaining));
  const Stopwatch watch;
  OutcomeStore outcomes(plan, run.catalogue, journal, listener);
  try {
    outcomes.take_over(states);
    journal.begin(journal_run(run, remaining));
    outcomes.begin(remaining.indices);
    perform_all(remaining.plan, backend, {request.memory, request.fail_fast, &stop, wants_to_be_alone}, outcomes);
    journal.commit();
    listener.performed();
    result.expectations = judged(run, outcomes);
    result.answers = answered(run, outcomes);
    write_results(run, outcomes, {result.expectations, result.answers}, watch);
    result.ending = outcomes.is_complete() ? ending_of(outcomes.summaries(), result.expectations, bool(request.shard))
                    : stop.load()          ? Ending::interrupted
                                           : Ending::stopped_at_failure;
  } catch (const base::FileError& problem) {
    listener.performed();
    result.ending = Ending::not_written;
    result.problem = problem.what();
  } catch (const base::Error& problem) {  // such as a record in a journal to which somebody else has written
    listener.performed();
    result.ending = Ending::not_written;
    result.problem = std::string(problem.what()) +
                     "; what was performed is in the journal, but no results file can be " +
                     "made of it: a run that starts over needs --fresh";
  }
  result.outcomes = outcomes.summaries();
  result.quarantined = backend.quarantined();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace poslab::run
