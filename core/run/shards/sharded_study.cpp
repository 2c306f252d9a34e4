// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/sharded_study.hpp"

#include <algorithm>
#include <filesystem>

#include "poslab/data/shard.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/resume_check.hpp"
#include "poslab/run/output.hpp"
#include "poslab/run/prepare.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {
namespace {

// What shards have performed, if they have performed cells of this plan before: then it is the same study, changed.
OwnCells own_cells_of(const ShardedStudy& asked, const study::Study& study, const study::Plan& plan,
                      const data::Catalogue& catalogue) {
  const journal::StudyName name{study.title, study.path, study.hash()};
  OwnCells own;
  for (int i = 1; i <= asked.shards; ++i) {
    const std::filesystem::path output = data::shard_output(asked.output, {i, asked.shards});
    const std::filesystem::path journal = journal::Journal::beside(output);
    if (!journal::resumes(journal, name, plan.cells, catalogue)) continue;
    if (!own) own.emplace();
    own->merge(journal::cells_of(journal, plan.cells));
  }
  return own;
}

}  // namespace

std::size_t require_runnable(const ShardedStudy& asked, const data::Catalogue& catalogue, workers::Backend& backend) {
  const auto [study, plan] = plan_whole(asked.study, asked.overrides, asked.supply, catalogue, backend);
  if (asked.memory > 0) require_memory(plan, asked.memory);
  const auto own = [&, &study = study, &plan = plan] { return own_cells_of(asked, study, plan, catalogue); };
  require_writable(asked.output, study.hash(), false, own);
  return static_cast<std::size_t>(
      std::count_if(plan.cells.begin(), plan.cells.end(), [](const data::Cell& cell) { return cell.skip.empty(); }));
}

}  // namespace poslab::run
