// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/merge_shards.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "merge/merge_provenance.hpp"
#include "merge/shard_set.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/answers.hpp"
#include "poslab/run/contained_reader.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/output.hpp"
#include "poslab/run/shards.hpp"

namespace poslab::run {
namespace {

struct Stopped {};

// Neither a shard's journal nor the name that it lies beside.
void require_not_among(const std::vector<std::string>& shards, const std::string& output) {
  std::error_code none;
  for (const std::string& shard : shards) {
    const std::filesystem::path journal = journal_named(shard);
    if (std::filesystem::equivalent(journal, output, none) ||
        std::filesystem::equivalent(journal, journal_named(output), none))
      throw OutputTaken(output, OutputTaken::By::a_shard);
  }
}

// Describes the whole; without provenance.
results::Description description_of(const ShardSet& set) {
  const journal::ShardRecord& first = set.shards().front()->journal.record;
  results::Description description;
  description.title = first.title;
  description.study_hash = first.study_hash;
  description.complete = set.cells().size() == first.whole;
  description.planned_cells = first.whole;
  description.experiments = first.experiments;
  description.schemes = first.schemes;
  for (const auto& shard : set.shards())
    for (const auto& [experiment, family] : shard->journal.record.families)
      description.families[experiment] = std::max(description.families[experiment], family);
  return description;
}

// The output may hold an earlier merge of this study, unless that had more cells.
void require_replaceable(const std::string& output, const results::Description& description, std::size_t cells) {
  const results::OutputContent there =
      read_content(output, "move it away, choose another file with -o, or replace it with --fresh");
  if (there.kind == results::OutputContent::Kind::nothing) return;
  if (there.kind == results::OutputContent::Kind::table) throw OutputTaken(output, OutputTaken::By::table);
  if (there.study_hash != description.study_hash) throw OutputTaken(output, OutputTaken::By::changed_study);
  if (there.complete && !description.complete)
    throw OutputTaken(output, OutputTaken::By::whole_study, cells, description.planned_cells);
}

OutcomeSummaries summaries_of(ShardSet& set, const data::Catalogue& catalogue) {
  OutcomeSummaries summaries;
  for (std::size_t i = 0; i < set.cells().size(); ++i)
    summaries.emplace_back(summarise(set.outcome(i), *catalogue.experiment(set.cells()[i].experiment)));
  return summaries;
}

std::vector<results::Row> rows_of(ShardSet& set, const std::atomic<bool>& stop) {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < set.cells().size(); ++i)
    rows.push_back({&set.cells()[i], [&set, &stop, i] {
                      if (stop.load()) throw Stopped();
                      return set.outcome(i);
                    }});
  return rows;
}

}  // namespace

MergeResult merge_shards(const MergeRequest& request, const std::function<void(const Mixture&)>& differences,
                         const std::atomic<bool>& stop) {
  const Stopwatch watch;
  require_not_among(request.shards, request.output);
  ShardSet set(request.shards, request.options);
  const MergedFacts facts(set.shards());
  differences(facts.mixture);
  require_room(request.output);
  results::Description description = description_of(set);
  if (!request.fresh) require_replaceable(request.output, description, set.cells().size());
  const Shard& first = *set.shards().front();
  const std::vector<data::Expectation>& expectations = first.journal.record.expectations;
  const OutcomeOf outcome_of = [&](std::size_t i) { return std::optional(set.outcome(i)); };
  MergeResult result;
  result.catalogue.experiments = description.experiments;
  result.title = description.title;
  result.planned = description.planned_cells;
  result.complete = description.complete;
  // With shards left out nobody knows how many cells match an expectation.
  result.expectations = result.complete ? judge(expectations, set.cells(), outcome_of) : left_to_merge(expectations);
  result.answers = answer_table(set.cells(), outcome_of, description.families);
  result.outcomes = summaries_of(set, result.catalogue);
  result.plugin_checks = facts.plugin_checks;
  result.weights_files = data::weights_files_of(facts.supply);
  description.provenance = facts.provenance(first, request.command_line, watch);
  try {
    results::write(request.output, description, rows_of(set, stop), {result.expectations, result.answers});
    result.ending = result.complete ? ending_of(result.outcomes, result.expectations, false) : Ending::cells_failed;
  } catch (const Stopped&) {
    result.ending = Ending::interrupted;
  }
  result.cells = set.cells();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace poslab::run
