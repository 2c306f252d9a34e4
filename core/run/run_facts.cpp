// SPDX-License-Identifier: Apache-2.0
#include "run_facts.hpp"

#include <algorithm>

#include "poslab/journal/checkpoints.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/run/version.hpp"

namespace poslab::run {
namespace {

// What a file of a shard needs for its merge.
results::ShardPart shard_part(const data::Shard& shard, const ShardPlan& part) {
  results::ShardPart result{shard, version(), part.plan_hash, part.whole, part.plan.expectations, {}, part.indices};
  for (const data::Cell& cell : part.plan.cells) result.cells.push_back(&cell);
  return result;
}

template <class Info>
void add_once(std::vector<Info>& infos, const Info& info) {
  if (std::none_of(infos.begin(), infos.end(), [&](const Info& other) { return other.id == info.id; }))
    infos.push_back(info);
}

results::Description description_of(const PreparedRun& run, const OutcomeStore& outcomes, const Stopwatch& watch) {
  results::Description description;
  description.title = run.study.title;
  description.study_hash = run.study.hash();
  description.complete = outcomes.is_complete();
  description.planned_cells = run.part.plan.cells.size();
  description.families = run.part.plan.families;
  for (const study::ExperimentUse& use : run.study.experiments)
    add_once(description.experiments, *run.catalogue.experiment(use.id));
  for (const study::SchemeUse& use : run.study.schemes) add_once(description.schemes, *run.catalogue.scheme(use.id));
  if (run.request.shard) description.shard = shard_part(*run.request.shard, run.part);
  description.provenance =
      provenance_of(run.study, run.request, description, watch, outcomes.machines(), outcomes.builds());
  if (const TokenSpeeds& speeds = outcomes.token_speeds(); !speeds.empty())
    description.provenance.texts.emplace_back("tokens_per_second", speeds.to_json());
  if (const std::string supply = run.supply->provenance(run.part.plan.cells); !supply.empty())
    description.provenance.texts.emplace_back("supply", supply);
  return description;
}

}  // namespace

RunStart start_of(const PreparedRun& run, const journal::Journal& journal, const std::vector<std::size_t>& remaining) {
  const study::Plan& plan = run.part.plan;
  const std::size_t planned = plan.cells.size();
  const auto checkpoints = journal::checkpoints_of(run.journal);
  RunStart start{.journal_notices = journal.notices(),
                 .unasked = journal::count_unasked(journal.known(), plan.cells),
                 .planned = planned,
                 .kept = planned - remaining.size()};
  for (const std::size_t index : remaining) {
    const data::Cell& cell = plan.cells[index];
    const data::Estimate& estimate = plan.estimates[index];
    start.operations += estimate.operations;
    const auto found = checkpoints.find(cell.id);
    start.going_on += found != checkpoints.end() && found->second.maker == journal::maker_of(cell, run.catalogue);
    if (!estimate.why_unknown) continue;
    if (start.of_unknown_needs++ == 0) start.why_unknown = estimate.why_unknown->reason;
  }
  return start;
}

bool wants_to_be_alone(const data::Cell& cell) {
  const data::Value* timed = cell.axes.find("timed");
  return timed && *timed != data::Value("nothing");
}

journal::JournalRun journal_run(const PreparedRun& run, std::size_t kept) {
  const study::Study& study = run.study;
  journal::JournalRun entry{study.title,
                            study.hash(),
                            study.path,
                            study.resolved(),
                            run.request.shard ? run.request.shard->option() : "",
                            {version(), git_commit()}};
  entry.planned = run.part.plan.cells.size();
  entry.kept = kept;
  for (const data::Cell& cell : run.part.plan.cells) entry.skipped += cell.skip ? 1 : 0;
  return entry;
}

void write_results(const PreparedRun& run, const OutcomeStore& outcomes, const results::Conclusions& conclusions,
                   const Stopwatch& watch) {
  const std::vector<data::Cell>& cells = run.part.plan.cells;
  std::vector<results::Row> rows;
  for (std::size_t index = 0; index < cells.size(); ++index)
    if (outcomes.summaries()[index])
      rows.push_back({&cells[index], [&outcomes, index] { return outcomes.read(index).value(); }});
  results::write(run.output, description_of(run, outcomes, watch), rows, conclusions);
}

}  // namespace poslab::run
