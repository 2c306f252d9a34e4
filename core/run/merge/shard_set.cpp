// SPDX-License-Identifier: Apache-2.0
#include "merge/shard_set.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "poslab/base/regular_file.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/run/contained_reader.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;
using Kind = MergeProblem::Kind;

constexpr rlim_t enough_open = 4096;

// How many journals may be open at a time: three quarters of the files that the system allows this process.
std::size_t raise_max_open() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 200;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, enough_open));
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  return std::clamp<rlim_t>(limit.rlim_cur / 4 * 3, 1, enough_open);
}

// What a name without a journal is.
MergeProblem no_journal(const std::string& name) try {
  const std::string journal = journal_named(name).string();
  const results::OutputContent content = read_content(name, "give the journals of shards");
  if (content.kind == results::OutputContent::Kind::nothing)
    return {Kind::unreadable, name,
            journal == name ? "does not exist" : fmt::format("does not exist, and neither does {}", journal)};
  if (content.is_shard)
    return {Kind::earlier, name,
            "was written by an earlier poslab; lay its journal beside it and run that shard again with this one, which "
            "keeps what is done, or merge with the poslab that wrote it"};
  return {Kind::no_shard, name, "holds a whole run's results and not those of a shard"};
} catch (const base::Error& unreadable) {
  return {Kind::unreadable, name, unreadable.what()};
}

void add_shard(const std::string& name, Shards& shards, MergeProblems& problems) try {
  const fs::path path = journal_named(name);
  if (!base::is_there(path)) return problems.push_back(no_journal(name));
  shards.push_back(std::unique_ptr<Shard>(new Shard{name, journal::ShardJournal(path)}));
  const Shard& shard = *shards.back();
  std::vector<std::string> damaged;
  for (const std::string& row : shard.journal.damaged_rows) {
    const auto& cells = shard.journal.record.cells;
    const auto cell = std::find_if(cells.begin(), cells.end(), [&](const auto& other) { return other.id == row; });
    damaged.push_back(cell == cells.end() ? row : label(*cell));
  }
  if (!damaged.empty()) problems.push_back(damaged_records(shard, std::move(damaged)));
} catch (const journal::NoShardRecord& refusal) {
  problems.push_back({refusal.is_shard ? Kind::earlier : Kind::no_shard, name, refusal.problem + "; " + refusal.hint});
} catch (const base::Error& refusal) {
  problems.push_back({Kind::unreadable, name, refusal.what()});
}

Shards open_shards(const std::vector<std::string>& names, MergeProblems& problems) {
  Shards shards;
  std::set<fs::path> seen;  // the same journal under two names
  for (const std::string& name : names) {
    std::error_code none;
    if (seen.insert(fs::weakly_canonical(journal_named(name), none)).second) add_shard(name, shards, problems);
  }
  return shards;
}

// `a.3-of-40.h5`, from the name of another shard; empty if that has no such name.
std::string sibling(const Shard& any, int index) {
  const data::Shard& own = any.journal.record.shard;
  const fs::path path = any.name;
  std::string name = path.filename().string();
  const std::string mine = fmt::format(".{}-of-{}", own.index, own.count);
  const std::size_t at = name.rfind(mine);
  if (at == std::string::npos) return "";
  return (path.parent_path() / name.replace(at, mine.size(), fmt::format(".{}-of-{}", index, own.count))).string();
}

// Shards that no journal holds; `names` are those that were given, those that cannot be read among them.
void require_all_shards(const Shards& shards, const std::vector<std::string>& names, MergeProblems& problems) {
  if (shards.empty()) return;
  const Shard& any = *shards.front();
  std::set<int> present;
  for (const auto& shard : shards) present.insert(shard->journal.record.shard.index);
  std::vector<int> missing;
  std::vector<std::string> not_given;
  for (int index = 1; index <= any.journal.record.shard.count; ++index) {
    if (present.count(index) > 0) continue;
    missing.push_back(index);
    const std::string name = sibling(any, index);
    if (name.empty()) continue;
    const fs::path journal = journal_named(name);
    std::error_code none;
    const bool given = std::any_of(names.begin(), names.end(), [&](const std::string& other) {
      return fs::equivalent(journal, journal_named(other), none);
    });
    if (!given && fs::exists(journal, none)) not_given.push_back(name);
  }
  if (!missing.empty()) problems.push_back(missing_shards(any, missing));
  if (!not_given.empty()) problems.push_back(shards_not_given(not_given));
}

}  // namespace

fs::path journal_named(const std::string& name) {
  return name.ends_with(".journal") ? fs::path(name) : journal::Journal::beside(name);
}

std::string label(const data::Cell& cell) {
  std::string text = fmt::format("{} of {}", cell.experiment, cell.variant.label);
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value)) text += fmt::format(", {} {}", name, data::to_text(value));
  return text + fmt::format(", repeat {}", cell.repeat);
}

ShardSet::ShardSet(const std::vector<std::string>& names, const MergeOptions& options) : max_open_(raise_max_open()) {
  MergeProblems problems;
  shards_ = open_shards(names, problems);
  keep_one_run(shards_, options.mixed_plugins, problems);
  if (!options.partial) require_all_shards(shards_, names, problems);
  std::stable_sort(shards_.begin(), shards_.end(), [](const auto& a, const auto& b) {
    return a->journal.record.shard.index < b->journal.record.shard.index;
  });
  choose(problems, options.partial);
  if (shards_.empty() && problems.empty()) problems.push_back({Kind::missing, "", "there is no shard among them"});
  if (!problems.empty()) throw NotMergeable(std::move(problems));
}

data::Outcome ShardSet::outcome(std::size_t cell) { return outcome(chosen_.at(cell)); }

ShardSet::Locations ShardSet::all_locations() const {
  Locations all;
  for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
    const std::vector<std::size_t>& indices = shards_[shard]->journal.record.indices;
    for (std::size_t at = 0; at < indices.size(); ++at) all.push_back({indices[at], shard, at});
  }
  std::sort(all.begin(), all.end());
  return all;
}

// For each cell the first record of it.
void ShardSet::choose(MergeProblems& problems, bool partial) {
  const Locations all = all_locations();
  std::map<std::size_t, Locations> unfinished_in;
  std::map<std::pair<std::size_t, std::size_t>, Locations> differing;
  std::size_t cells = 0;
  for (auto first = all.begin(); first != all.end(); ++cells) {
    const auto end =
        std::find_if(first, all.end(), [&](const Location& other) { return other.plan_index != first->plan_index; });
    const auto done = std::find_if(first, end, [&](const Location& location) { return is_done(location); });
    if (done == end) unfinished_in[first->shard].push_back(*first);
    if (done != end) {
      chosen_.push_back(*done);
      cells_.push_back(shards_[done->shard]->journal.record.cells[done->at]);
    }
    for (auto other = done; other != end; ++other)
      if (other != done && is_done(*other) && !agree(*done, *other))
        differing[{done->shard, other->shard}].push_back(*other);
    first = end;
  }
  for (const auto& [pair, locations] : differing)
    problems.push_back(contradiction(*shards_[pair.first], *shards_[pair.second], labels(locations)));
  if (partial) return;
  for (const auto& [shard, locations] : unfinished_in)
    problems.push_back(unfinished(*shards_[shard], labels(locations)));
  const std::size_t whole = shards_.empty() ? 0 : shards_.front()->journal.record.whole;
  if (problems.empty() && cells != whole) problems.push_back(missing_cells(whole - cells, whole));
}

// In all but facts of a machine.
bool ShardSet::agree(const Location& a, const Location& b) {
  data::Outcome of_a = outcome(a), of_b = outcome(b);
  for (data::Outcome* outcome : {&of_a, &of_b})
    data::for_each_fact(*outcome, [](const char*, const char*, const char*, double& fact) { fact = 0; });
  const auto id = [&](const Location& location) {
    return shards_[location.shard]->journal.record.cells[location.at].id;
  };
  return id(a) == id(b) && data::pack(of_a) == data::pack(of_b);
}

data::Outcome ShardSet::outcome(const Location& location) {
  journal::ShardJournal& journal = shards_[location.shard]->journal;
  if (!journal.is_open() && !journal.record.cells[location.at].skip) {
    if (open_.size() >= max_open_) shards_[open_.front()]->journal.close(), open_.pop_front();
    open_.push_back(location.shard);
  }
  return journal.outcome(location.at);
}

std::vector<std::string> ShardSet::labels(const Locations& locations) const {
  std::vector<std::string> labels;
  for (const Location& location : locations)
    labels.push_back(label(shards_[location.shard]->journal.record.cells[location.at]));
  return labels;
}

}  // namespace poslab::run
