// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/merge.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <deque>
#include <map>

#include "merge_checks.hpp"
#include "poslab/base/printable.hpp"

namespace poslab::results {
namespace {

using Kind = MergeProblem::Kind;

constexpr rlim_t enough_open = 4096;

// How many files may be open at a time: of all that the system lets us have, what leaves others some.
std::size_t raise_most_open() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 200;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, enough_open));
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  return std::clamp<rlim_t>(limit.rlim_cur / 4 * 3, 1, enough_open);
}

std::string lines(const std::vector<MergeProblem>& problems) {
  std::string text = "these files cannot be merged:";
  for (const MergeProblem& problem : problems) {
    const bool names_it = problem.file.empty() || problem.text.rfind(problem.file, 0) == 0;
    text += "\n  " + base::printable(names_it ? problem.text : problem.file + ": " + problem.text);
  }
  return text;
}

// Where a record of a cell lies: its place in the plan, the file, and its place there.
struct Held {
  std::size_t place, file, at;
  bool operator<(const Held& other) const {
    return place != other.place ? place < other.place : file != other.file ? file < other.file : at < other.at;
  }
};

}  // namespace

NotMergeable::NotMergeable(std::vector<MergeProblem> problems_)
    : base::Error(lines(problems_)), problems(std::move(problems_)) {}

class Merge::Files {
 public:
  Files(const std::vector<std::string>& names, const MergeOptions& options) {
    const h5::Silence silence;
    MergeProblems problems;
    files_ = open_shards(names, problems);
    keep_one_run(files_, options.mixed_plugins, problems);
    if (!options.partial) require_all_shards(files_, names, problems);
    require_whole_records(files_, problems);
    std::stable_sort(files_.begin(), files_.end(),
                     [](const auto& a, const auto& b) { return a->shard.index < b->shard.index; });
    choose(problems, options.partial);
    if (files_.empty() && problems.empty()) problems.push_back({Kind::missing, "", "there is no shard among them"});
    if (!problems.empty()) throw NotMergeable(std::move(problems));
  }

  const ShardFiles& all() const { return files_; }
  std::vector<base::Cell> take_cells() {
    std::vector<base::Cell> taken;
    for (const Held& held : chosen_) taken.push_back(std::move(files_[held.file]->cells[held.at]));
    return taken;
  }
  base::Outcome outcome(std::size_t cell) {
    const h5::Silence silence;
    const Held& held = chosen_.at(cell);
    wake(held.file);
    return files_[held.file]->outcome(held.at);
  }

 private:
  // For each cell the first record of it that there is.
  void choose(MergeProblems& problems, bool partial) {
    std::vector<Held> all;
    for (std::size_t file = 0; file < files_.size(); ++file)
      for (std::size_t at = 0; at < files_[file]->places.size(); ++at)
        all.push_back({files_[file]->places[at], file, at});
    std::sort(all.begin(), all.end());
    std::map<std::size_t, std::vector<Held>> unfinished;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Held>> differing;
    std::size_t places = 0;
    for (auto first = all.begin(); first != all.end(); ++places) {
      const auto end = std::find_if(first, all.end(), [&](const Held& held) { return held.place != first->place; });
      const auto done =
          std::find_if(first, end, [&](const Held& held) { return files_[held.file]->finished(held.at); });
      if (done == end) unfinished[first->file].push_back(*first);
      if (done != end) chosen_.push_back(*done);
      for (auto other = first; other != end; ++other)
        if (done != end && other > done && files_[other->file]->finished(other->at) && !agree(*done, *other))
          differing[{done->file, other->file}].push_back(*other);
      first = end;
    }
    for (const auto& [pair, held] : differing) say_contradiction(problems, pair.first, pair.second, held);
    if (partial) return;
    for (const auto& [file, held] : unfinished) say_unfinished(problems, *files_[file], held);
    if (problems.empty() && !files_.empty() && places != files_.front()->whole)
      problems.push_back({Kind::missing, "",
                          fmt::format("{} of the plan's {} cells are in none of the shards",
                                      files_.front()->whole - places, files_.front()->whole)});
  }

  bool agree(const Held& a, const Held& b) {
    wake(a.file), wake(b.file);
    ShardFile &in_a = *files_[a.file], &in_b = *files_[b.file];
    return in_a.cells[a.at].id == in_b.cells[b.at].id && in_a.packed_outcome(a.at) == in_b.packed_outcome(b.at);
  }

  std::string labels(const std::vector<Held>& held) const {
    constexpr std::size_t most = 3;
    std::vector<std::string> words;
    for (const Held& one : held)
      if (words.size() < most) words.push_back(label(files_[one.file]->cells[one.at]));
    return fmt::format("{}{}", fmt::join(words, "; "),
                       held.size() > most ? fmt::format("; and {} more", held.size() - most) : "");
  }
  void say_contradiction(MergeProblems& problems, std::size_t a, std::size_t b, const std::vector<Held>& held) const {
    const ShardFile &in_a = *files_[a], &in_b = *files_[b];
    problems.push_back(
        {Kind::contradiction, in_b.path,
         fmt::format("and {} hold the same {} with different results: {}; leave one of the two files out, "
                     "or run shard {} again",
                     in_a.path, held.size() > 1 ? "cells" : "cell", labels(held), in_b.shard.text())});
  }
  void say_unfinished(MergeProblems& problems, const ShardFile& file, const std::vector<Held>& held) const {
    problems.push_back(
        {Kind::unfinished, file.path,
         fmt::format("is not finished: {} of its {} cells did not run ({}); finish it ({}), or merge what "
                     "there is with --partial",
                     held.size(), file.places.size(), labels(held), command_for(file, file.shard))});
  }

  void wake(std::size_t file) {
    if (!files_[file]->resting()) return;
    if (open_.size() >= most_open_) files_[open_.front()]->rest(), open_.pop_front();
    open_.push_back(file);
    files_[file]->wake();
  }

  ShardFiles files_;  // by shard
  std::vector<Held> chosen_;
  std::deque<std::size_t> open_;
  const std::size_t most_open_ = raise_most_open();
};

Merge::Merge(const std::vector<std::string>& files, const MergeOptions& options)
    : files_(std::make_unique<Files>(files, options)) {
  const ShardFile& first = *files_->all().front();
  cells = files_->take_cells();
  expectations = first.expectations;
  description.title = first.title;
  description.study_hash = first.study_hash;
  description.complete = cells.size() == first.whole;
  description.planned_cells = first.whole;
  description.experiments = first.experiments;
  description.schemes = first.schemes;
}

Merge::~Merge() = default;
Merge::Merge(Merge&&) noexcept = default;

base::Outcome Merge::outcome(std::size_t cell) const { return files_->outcome(cell); }

std::vector<Merge::Source> Merge::sources() const {
  std::vector<Source> all;
  for (const auto& file : files_->all()) all.push_back({file->path, file->shard, file->provenance});
  return all;
}

}  // namespace poslab::results
