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

// Whether shards have performed cells of this plan before: then it is the same study, changed.
bool any_shard_resumes(const ShardedStudy& asked, const study::Study& study, const study::Plan& plan,
                       const data::Catalogue& catalogue) {
  const journal::StudyName name{study.title, study.path, study.hash()};
  for (int i = 1; i <= asked.shards; ++i) {
    const std::filesystem::path output = data::shard_output(asked.output, {i, asked.shards});
    if (journal::resumes(journal::Journal::beside(output), name, plan.cells, catalogue)) return true;
  }
  return false;
}

}  // namespace

std::size_t require_runnable(const ShardedStudy& asked, const data::Catalogue& catalogue, workers::Backend& backend) {
  const auto [study, plan] = plan_whole(asked.study, asked.overrides, asked.supply, catalogue, backend);
  if (asked.memory > 0) require_memory(plan, asked.memory);
  const auto resumes = [&, &study = study, &plan = plan] { return any_shard_resumes(asked, study, plan, catalogue); };
  require_writable(asked.output, study.hash(), false, resumes);
  return static_cast<std::size_t>(
      std::count_if(plan.cells.begin(), plan.cells.end(), [](const data::Cell& cell) { return cell.skip.empty(); }));
}

}  // namespace poslab::run
