// SPDX-License-Identifier: Apache-2.0
#include "merge/checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "merge/problems.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::results {
namespace {

using Kind = MergeProblem::Kind;

// `a.3-of-40.h5`, from the name of another shard's file; empty if that has no such name.
std::string sibling(const ShardFile& file, const data::Shard& shard) {
  std::filesystem::path path = file.path;
  std::string name = path.filename().string();
  const std::string mine = fmt::format(".{}-of-{}", file.shard.index, file.shard.count);
  const std::size_t at = name.rfind(mine);
  if (at == std::string::npos) return "";
  return (path.parent_path() / name.replace(at, mine.size(), fmt::format(".{}-of-{}", shard.index, shard.count)))
      .string();
}

}  // namespace

std::string label(const data::Cell& cell) {
  std::string text = fmt::format("{} of {}", cell.experiment, cell.variant.label);
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value)) text += fmt::format(", {} {}", name, data::to_text(value));
  return text + fmt::format(", repeat {}", cell.repeat);
}

ShardFiles open_shards(const std::vector<std::string>& names, MergeProblems& problems) {
  ShardFiles files;
  std::set<std::pair<dev_t, ino_t>> seen;  // the same file under two names: HDF5 does not close what is open twice
  for (const std::string& name : names) {
    struct stat status {};
    if (stat(name.c_str(), &status) == 0 && !seen.insert({status.st_dev, status.st_ino}).second) continue;
    try {
      files.push_back(std::make_unique<ShardFile>(name));
      files.back()->close();
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
  std::vector<int> missing;
  std::vector<std::string> not_given;
  for (int index = 1; index <= any.shard.count; ++index) {
    if (present.count(index) > 0) continue;
    missing.push_back(index);
    const std::string name = sibling(any, {index, any.shard.count});
    std::error_code none;
    const bool given = std::any_of(names.begin(), names.end(), [&](const std::string& other) {
      std::error_code none_there;
      return std::filesystem::equivalent(name, other, none_there);
    });
    if (!name.empty() && !given && std::filesystem::exists(name, none)) not_given.push_back(name);
  }
  if (!missing.empty()) problems.push_back(missing_shards(any, missing));
  if (!not_given.empty()) problems.push_back(files_not_given(not_given));
}

void require_whole_records(const ShardFiles& files, MergeProblems& problems) {
  for (const auto& file : files) {
    std::vector<std::string> damaged;
    for (const std::size_t i : file->damaged_cells)
      damaged.push_back(fmt::format("cell {} of the plan", file->indices[i]));
    for (std::size_t i = 0; i < file->indices.size(); ++i) {
      if (!file->finished(i)) continue;
      try {
        file->outcome(i);
      } catch (const data::NotPacked&) {
        damaged.push_back(label(file->cells[i]));
      } catch (const base::Error& unreadable) {
        problems.push_back({Kind::unreadable, file->path, unreadable.what()});
        break;
      }
    }
    if (!damaged.empty()) problems.push_back(damaged_records(*file, damaged));
    file->close();
  }
}

}  // namespace poslab::results
