// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/merge_shards.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

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

void require_not_among(const std::vector<std::string>& files, const std::string& output) {
  std::error_code none;
  for (const std::string& file : files)
    if (std::filesystem::equivalent(file, output, none)) throw OutputTaken(output, OutputTaken::By::a_shard);
}

// The output may hold an earlier merge of this study, unless that had more cells.
void require_replaceable(const std::string& output, const results::Merge& merge) {
  const results::Description& description = merge.description;
  const results::OutputContent there =
      read_content(output, "move it away, choose another file with -o, or replace it with --fresh");
  if (there.kind == results::OutputContent::Kind::nothing) return;
  if (there.kind == results::OutputContent::Kind::table) throw OutputTaken(output, OutputTaken::By::table);
  if (there.study_hash != description.study_hash) throw OutputTaken(output, OutputTaken::By::changed_study);
  if (there.complete && !description.complete)
    throw OutputTaken(output, OutputTaken::By::whole_study, merge.cells.size(), description.planned_cells);
}

OutcomeSummaries summaries_of(const results::Merge& merge, const data::Catalogue& catalogue) {
  OutcomeSummaries summaries;
  for (std::size_t i = 0; i < merge.cells.size(); ++i) {
    const data::ExperimentInfo* info = catalogue.experiment(merge.cells[i].experiment);
    if (!info)
      throw base::Error(base::Error::Kind::damaged,
                        fmt::format("a shard has a cell of the experiment \"{}\", which it does not describe",
                                    merge.cells[i].experiment),
                        "run that shard again");
    summaries.emplace_back(summarise(merge.outcome(i), *info));
  }
  return summaries;
}

// With shards left out nobody knows how many cells match an expectation.
std::vector<data::ExpectationResult> judged(const results::Merge& merge) {
  if (!merge.description.complete) return left_to_merge(merge.expectations);
  return judge(merge.expectations, merge.cells, [&](std::size_t i) { return std::optional(merge.outcome(i)); });
}

std::vector<results::Row> rows_of(const results::Merge& merge, const std::atomic<bool>& stop) {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < merge.cells.size(); ++i)
    rows.push_back({&merge.cells[i], [&merge, &stop, i] {
                      if (stop.load()) throw Stopped();
                      return merge.outcome(i);
                    }});
  return rows;
}

}  // namespace

MergeResult merge_shards(const MergeRequest& request, const std::function<void(const Mixture&)>& differences,
                         const std::atomic<bool>& stop) {
  const Stopwatch watch;
  require_not_among(request.files, request.output);
  results::Merge merge(request.files, request.options);
  differences(mixture_of(merge.sources()));
  require_room(request.output);
  if (!request.fresh) require_replaceable(request.output, merge);
  results::Description description = merge.description;
  MergeResult result;
  result.catalogue.experiments = description.experiments;
  result.title = description.title;
  result.planned = description.planned_cells;
  result.complete = description.complete;
  result.expectations = judged(merge);
  result.answers = answer_table(
      merge.cells, [&](std::size_t i) { return std::optional(merge.outcome(i)); }, description.families);
  result.outcomes = summaries_of(merge, result.catalogue);
  result.plugin_checks = plugin_checks_of(merge.sources());
  result.weights_files = data::weights_files_of(supply_of(merge.sources()));
  description.provenance = merge_provenance(merge.sources(), request.command_line, watch);
  try {
    results::write(request.output, description, rows_of(merge, stop), {result.expectations, result.answers});
    result.ending = result.complete ? ending_of(result.outcomes, result.expectations, false) : Ending::cells_failed;
  } catch (const Stopped&) {
    result.ending = Ending::interrupted;
  }
  result.cells = std::move(merge.cells);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace poslab::run
