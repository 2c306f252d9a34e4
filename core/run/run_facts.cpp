// SPDX-License-Identifier: Apache-2.0
#include "run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/journal/checkpoints.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/journal/shard_journal.hpp"
#include "poslab/run/version.hpp"

namespace poslab::run {
namespace {

template <class Info>
void add_once(std::vector<Info>& infos, const Info& info) {
  if (std::none_of(infos.begin(), infos.end(), [&](const Info& other) { return other.id == info.id; }))
    infos.push_back(info);
}

// What is known when the run begins.
results::Description description_of(const PreparedRun& run, const Stopwatch& watch) {
  results::Description description;
  description.title = run.study.title;
  description.study_hash = run.study.hash();
  description.planned_cells = run.part.plan.cells.size();
  description.families = run.part.plan.families;
  for (const study::ExperimentUse& use : run.study.experiments)
    add_once(description.experiments, *run.catalogue.experiment(use.id));
  for (const study::SchemeUse& use : run.study.schemes) add_once(description.schemes, *run.catalogue.scheme(use.id));
  description.provenance = provenance_of(run.study, run.request, description, watch);
  if (const std::string supply = run.supply->provenance(run.part.plan.cells); !supply.empty())
    description.provenance.texts.emplace_back("supply", supply);
  return description;
}

std::string shard_record(const PreparedRun& run, const Stopwatch& watch) {
  const results::Description description = description_of(run, watch);
  const ShardPlan& part = run.part;
  const auto& texts = description.provenance.texts;
  return journal::pack({*run.request.shard,
                        description.title,
                        description.study_hash,
                        version(),
                        part.plan_hash,
                        part.whole,
                        description.families,
                        description.experiments,
                        description.schemes,
                        part.plan.expectations,
                        part.plan.cells,
                        part.indices,
                        {texts.begin(), texts.end()}});
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

journal::JournalRun journal_run(const PreparedRun& run, std::size_t kept, const Stopwatch& watch) {
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
  if (run.request.shard) entry.shard_record = shard_record(run, watch);
  return entry;
}

void write_results(const PreparedRun& run, const OutcomeStore& outcomes, const results::Conclusions& conclusions,
                   const Stopwatch& watch) {
  const std::vector<data::Cell>& cells = run.part.plan.cells;
  std::vector<results::Row> rows;
  for (std::size_t index = 0; index < cells.size(); ++index)
    if (outcomes.summaries()[index])
      rows.push_back({&cells[index], [&outcomes, index] { return outcomes.read(index).value(); }});
  results::Description description = description_of(run, watch);
  description.complete = outcomes.is_complete();
  auto& texts = description.provenance.texts;
  texts.emplace_back("machines", machines_text(outcomes.machines()));
  texts.emplace_back("builds", builds_text(outcomes.builds()));
  texts.emplace_back("run_seconds", fmt::format("{:.3f}", watch.seconds()));
  if (const TokenSpeeds& speeds = outcomes.token_speeds(); !speeds.empty())
    texts.emplace_back("tokens_per_second", speeds.to_json());
  results::write(run.output, description, rows, conclusions);
}

}  // namespace poslab::run
