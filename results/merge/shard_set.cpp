// SPDX-License-Identifier: Apache-2.0
#include "merge/shard_set.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <utility>

#include "merge/problems.hpp"

namespace poslab::results {
namespace {

constexpr rlim_t enough_open = 4096;

// How many files may be open at a time: three quarters of what the system allows this process.
std::size_t raise_max_open() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 200;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, enough_open));
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  return std::clamp<rlim_t>(limit.rlim_cur / 4 * 3, 1, enough_open);
}

}  // namespace

ShardSet::ShardSet(const std::vector<std::string>& names, const MergeOptions& options) : max_open_(raise_max_open()) {
  const h5::Silence silence;
  MergeProblems problems;
  files_ = open_shards(names, problems);
  keep_one_run(files_, options.mixed_plugins, problems);
  if (!options.partial) require_all_shards(files_, names, problems);
  require_whole_records(files_, problems);
  std::stable_sort(files_.begin(), files_.end(),
                   [](const auto& a, const auto& b) { return a->shard.index < b->shard.index; });
  choose(problems, options.partial);
  if (files_.empty() && problems.empty())
    problems.push_back({MergeProblem::Kind::missing, "", "there is no shard among them"});
  if (!problems.empty()) throw NotMergeable(std::move(problems));
}

std::vector<data::Cell> ShardSet::take_cells() {
  std::vector<data::Cell> taken;
  for (const Location& chosen : chosen_) taken.push_back(std::move(files_[chosen.file]->cells[chosen.at]));
  return taken;
}

data::Outcome ShardSet::outcome(std::size_t cell) {
  const h5::Silence silence;
  const Location& chosen = chosen_.at(cell);
  reopen(chosen.file);
  return files_[chosen.file]->outcome(chosen.at);
}

ShardSet::Locations ShardSet::all_locations() const {
  Locations all;
  for (std::size_t file = 0; file < files_.size(); ++file)
    for (std::size_t at = 0; at < files_[file]->indices.size(); ++at)
      all.push_back({files_[file]->indices[at], file, at});
  std::sort(all.begin(), all.end());
  return all;
}

// For each cell the first finished record of it.
void ShardSet::choose(MergeProblems& problems, bool partial) {
  const Locations all = all_locations();
  std::map<std::size_t, Locations> unfinished_in;
  std::map<std::pair<std::size_t, std::size_t>, Locations> differing;
  std::size_t cells = 0;
  for (auto first = all.begin(); first != all.end(); ++cells) {
    const auto end =
        std::find_if(first, all.end(), [&](const Location& other) { return other.plan_index != first->plan_index; });
    const auto done = std::find_if(first, end, [&](const Location& location) { return finished(location); });
    if (done == end) unfinished_in[first->file].push_back(*first);
    if (done != end) chosen_.push_back(*done);
    for (auto other = done; other != end; ++other)
      if (other != done && finished(*other) && !agree(*done, *other))
        differing[{done->file, other->file}].push_back(*other);
    first = end;
  }
  for (const auto& [pair, locations] : differing)
    problems.push_back(contradiction(*files_[pair.first], *files_[pair.second], labels(locations)));
  if (partial) return;
  for (const auto& [file, locations] : unfinished_in) problems.push_back(unfinished(*files_[file], labels(locations)));
  if (problems.empty() && !files_.empty() && cells != files_.front()->whole)
    problems.push_back(missing_cells(files_.front()->whole - cells, files_.front()->whole));
}

bool ShardSet::agree(const Location& a, const Location& b) {
  reopen(a.file), reopen(b.file);
  ShardFile &in_a = *files_[a.file], &in_b = *files_[b.file];
  return in_a.cells[a.at].id == in_b.cells[b.at].id && in_a.packed_outcome(a.at) == in_b.packed_outcome(b.at);
}

std::vector<std::string> ShardSet::labels(const Locations& locations) const {
  std::vector<std::string> labels;
  for (const Location& location : locations) labels.push_back(label(files_[location.file]->cells[location.at]));
  return labels;
}

void ShardSet::reopen(std::size_t file) {
  if (!files_[file]->is_closed()) return;
  if (open_.size() >= max_open_) files_[open_.front()]->close(), open_.pop_front();
  open_.push_back(file);
  files_[file]->reopen();
}

}  // namespace poslab::results
