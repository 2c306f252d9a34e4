// SPDX-License-Identifier: Apache-2.0
#include "merge_checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "poslab/base/pack.hpp"
#include "poslab/base/text.hpp"
#include "shard_command.hpp"

namespace poslab::results {
namespace {

using Kind = MergeProblem::Kind;

// `a.3-of-40.h5`, from the name of another shard's file; empty if that has no such name.
std::string sibling(const ShardFile& file, const base::Shard& shard) {
  std::filesystem::path path = file.path;
  std::string name = path.filename().string();
  const std::string mine = fmt::format(".{}-of-{}", file.shard.index, file.shard.count);
  const std::size_t at = name.rfind(mine);
  if (at == std::string::npos) return "";
  return (path.parent_path() / name.replace(at, mine.size(), fmt::format(".{}-of-{}", shard.index, shard.count)))
      .string();
}

std::string list_of(const std::vector<std::string>& items, std::size_t most) {
  if (items.size() <= most) return base::enumerate(items);
  const std::vector<std::string> first(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(most));
  return fmt::format("{} and {} more", fmt::join(first, ", "), items.size() - most);
}

}  // namespace

std::string label(const base::Cell& cell) {
  std::string text = fmt::format("{} of {}", cell.experiment, cell.variant.label);
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value)) text += fmt::format(", {} {}", name, base::to_text(value));
  return text + fmt::format(", repeat {}", cell.repeat);
}

std::string command_for(const ShardFile& like, const base::Shard& shard) {
  const auto command = like.provenance.find("command_line");
  if (command != like.provenance.end()) return with_shard(command->second, shard.option());
  const auto study = like.provenance.find("study_path");
  return fmt::format("poslab run {} --shard {}", study == like.provenance.end() ? "STUDY" : study->second,
                     shard.option());
}

ShardFiles open_shards(const std::vector<std::string>& names, MergeProblems& problems) {
  ShardFiles files;
  std::set<std::pair<dev_t, ino_t>> seen;  // the same file by another name: HDF5 does not close what is open twice
  for (const std::string& name : names) {
    struct stat status {};
    if (stat(name.c_str(), &status) == 0 && !seen.insert({status.st_dev, status.st_ino}).second) continue;
    try {
      files.push_back(std::make_unique<ShardFile>(name));
      files.back()->rest();
    } catch (const NoShard& refusal) {
      problems.push_back({Kind::no_shard, name, refusal.what()});
    } catch (const base::Error& refusal) {
      problems.push_back({Kind::unreadable, name, refusal.what()});
    }
  }
  return files;
}

void require_all_shards(const ShardFiles& files, const std::vector<std::string>& names, MergeProblems& problems) {
  if (files.empty()) return;
  const ShardFile& any = *files.front();
  std::set<int> present;
  for (const auto& file : files) present.insert(file->shard.index);
  std::vector<std::string> missing, lying_about;
  base::Shard first{0, any.shard.count};
  for (int index = 1; index <= any.shard.count; ++index) {
    if (present.count(index) > 0) continue;
    const base::Shard shard{index, any.shard.count};
    if (first.index == 0) first = shard;
    missing.push_back(std::to_string(index));
    const std::string name = sibling(any, shard);
    std::error_code none;
    const bool given = std::any_of(names.begin(), names.end(), [&](const std::string& other) {
      std::error_code none_there;
      return std::filesystem::equivalent(name, other, none_there);
    });
    if (!name.empty() && !given && std::filesystem::exists(name, none)) lying_about.push_back(name);
  }
  if (missing.empty()) return;
  const std::string text = fmt::format("shard{} {} of {} {} missing; {} ({}), or merge what there is with --partial",
                                       missing.size() > 1 ? "s" : "", list_of(missing, 100), any.shard.count,
                                       missing.size() > 1 ? "are" : "is", missing.size() > 1 ? "run them" : "run it",
                                       command_for(any, first));
  problems.push_back({Kind::missing, "", text});
  if (!lying_about.empty())
    problems.push_back({Kind::missing, "",
                        fmt::format("{} {} there, but not among the files given", list_of(lying_about, 5),
                                    lying_about.size() > 1 ? "are" : "is")});
}

void require_whole_records(const ShardFiles& files, MergeProblems& problems) {
  for (const auto& file : files) {
    std::vector<std::string> damaged;
    for (const std::size_t i : file->damaged_cells)
      damaged.push_back(fmt::format("cell {} of the plan", file->places[i]));
    for (std::size_t i = 0; i < file->places.size(); ++i) {
      if (!file->finished(i)) continue;
      try {
        file->outcome(i);
      } catch (const base::NotPacked&) {
        damaged.push_back(label(file->cells[i]));
      } catch (const base::Error& unreadable) {
        problems.push_back({Kind::unreadable, file->path, unreadable.what()});
        break;
      }
    }
    if (!damaged.empty())
      problems.push_back({Kind::damaged, file->path,
                          fmt::format("has {} whose checksum is wrong: {}; run that shard again ({})",
                                      damaged.size() > 1 ? "records" : "a record", list_of(damaged, 3),
                                      command_for(*file, file->shard))});
    file->rest();
  }
}

}  // namespace poslab::results
