// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/merge.hpp"

#include <algorithm>

#include "merge/shard_set.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::results {
namespace {

std::string lines(const std::vector<MergeProblem>& problems) {
  std::string text = "these files cannot be merged:";
  for (const MergeProblem& problem : problems) text += "\n  " + base::printable(to_text(problem));
  return text;
}

}  // namespace

std::string to_text(const MergeProblem& problem) {
  const bool names_it = problem.file.empty() || problem.text.rfind(problem.file, 0) == 0;
  return names_it ? problem.text : problem.file + ": " + problem.text;
}

NotMergeable::NotMergeable(std::vector<MergeProblem> problems_)
    : base::Error(Kind::request, lines(problems_)), problems(std::move(problems_)) {}

Merge::Merge(const std::vector<std::string>& files, const MergeOptions& options)
    : shards_(std::make_unique<ShardSet>(files, options)) {
  const ShardFile& first = *shards_->files().front();
  cells = shards_->take_cells();
  expectations = first.expectations;
  description.title = first.title;
  description.study_hash = first.study_hash;
  description.complete = cells.size() == first.whole;
  description.planned_cells = first.whole;
  description.experiments = first.experiments;
  description.schemes = first.schemes;
  for (const auto& file : shards_->files())
    for (const auto& [experiment, family] : file->families)
      description.families[experiment] = std::max(description.families[experiment], family);
}

Merge::~Merge() = default;

data::Outcome Merge::outcome(std::size_t cell) const { return shards_->outcome(cell); }

std::vector<Merge::Source> Merge::sources() const {
  std::vector<Source> all;
  for (const auto& file : shards_->files()) all.push_back({file->path, file->shard, file->provenance});
  return all;
}

}  // namespace poslab::results
