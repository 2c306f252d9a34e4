// SPDX-License-Identifier: Apache-2.0
#include "merge_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "poslab/base/pack.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

using Kind = MergeProblem::Kind;

std::string shortened(const std::string& hash) { return hash.substr(0, 12); }

std::string declared(base::SchemeInfo scheme) {
  scheme.file_hash.clear();
  return base::pack(scheme);
}

// Everything that the shards of one run have in common; of plugins only if they must be the same.
std::string common(const ShardFile& file, bool with_plugins) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", file.study_hash, file.shard.count, file.poslab_version,
                                 file.schema_version, file.plan_hash);
  for (const base::ExperimentInfo& experiment : file.experiments) text += base::pack(experiment);
  for (const base::SchemeInfo& scheme : file.schemes) text += with_plugins ? base::pack(scheme) : declared(scheme);
  for (const base::Expectation& expectation : file.expectations) text += base::pack(expectation);
  return text;
}

// The first of the files that most agree with.
const ShardFile& reference_of(const ShardFiles& files, bool with_plugins) {
  std::map<std::string, std::vector<const ShardFile*>> alike;
  std::size_t most = 0;
  for (const auto& file : files) {
    std::vector<const ShardFile*>& these = alike[common(*file, with_plugins)];
    these.push_back(file.get());
    most = std::max(most, these.size());
  }
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const auto& file) { return alike[common(*file, with_plugins)].size() == most; });
  return **found;
}

template <class Info>
std::string versions(const std::vector<Info>& infos) {
  std::string text;
  for (const Info& info : infos) text += (text.empty() ? "" : ", ") + info.id + " " + info.version;
  return text;
}

// Where two lists of declarations differ: their versions if those do, else only that they do.
template <class Info>
std::string difference(const char* what, const std::vector<Info>& mine, const std::vector<Info>& theirs) {
  const std::string here = versions(mine), there = versions(theirs);
  if (here == there) return fmt::format("has {} that declare something else under the same version", what);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::max(mine.size(), theirs.size()); ++i) {
    const std::string a = i < mine.size() ? mine[i].id + " " + mine[i].version : "nothing";
    const std::string b = i < theirs.size() ? theirs[i].id + " " + theirs[i].version : "nothing";
    if (a != b) words.push_back(fmt::format("{} instead of {}", a, b));
  }
  return fmt::format("was made with {} {}", what, base::enumerate(words));
}

template <class Info, class Bytes>
bool same(const std::vector<Info>& a, const std::vector<Info>& b, Bytes bytes) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Info& x, const Info& y) { return bytes(x) == bytes(y); });
}

constexpr const char* once_more = "run that shard again with the same poslab and plugins as the others";

MergeProblems differences(const ShardFile& file, const ShardFile& reference, bool mixed_plugins) {
  MergeProblems found;
  const auto add = [&](Kind kind, const std::string& text) { found.push_back({kind, file.path, text}); };
  if (file.study_hash != reference.study_hash) {
    add(Kind::other_study,
        fmt::format(
            "holds another study (\"{}\", {}) than {} (\"{}\", {}); merge the shards of one study, run with the "
            "same --axis and --only",
            file.title, shortened(file.study_hash), reference.path, reference.title, shortened(reference.study_hash)));
    return found;
  }
  if (file.shard.count != reference.shard.count) {
    add(Kind::other_count, fmt::format("is shard {}, but {} is shard {}; merge shards of one number", file.shard.text(),
                                       reference.path, reference.shard.text()));
    return found;
  }
  if (file.poslab_version != reference.poslab_version)
    add(Kind::other_version, fmt::format("was written by poslab {}, but {} by poslab {}; {}", file.poslab_version,
                                         reference.path, reference.poslab_version, once_more));
  if (file.schema_version != reference.schema_version)
    add(Kind::other_version, fmt::format("has schema version {}, but {} has {}; {}", file.schema_version,
                                         reference.path, reference.schema_version, once_more));
  const auto packed = [](const auto& info) { return base::pack(info); };
  if (!same(file.experiments, reference.experiments, packed))
    add(Kind::other_version, difference("experiments", file.experiments, reference.experiments) + "; " + once_more);
  if (!same(file.schemes, reference.schemes, declared)) {
    add(Kind::other_version, difference("schemes", file.schemes, reference.schemes) + "; " + once_more);
  } else if (!mixed_plugins) {
    for (std::size_t i = 0; i < file.schemes.size(); ++i)
      if (file.schemes[i].file_hash != reference.schemes[i].file_hash)
        add(Kind::other_plugin,
            fmt::format("was made with another file of the plugin of {} ({}) than {} ({}); {}, or accept both with "
                        "--mixed-plugins",
                        file.schemes[i].id, shortened(file.schemes[i].file_hash), reference.path,
                        shortened(reference.schemes[i].file_hash), once_more));
  }
  const bool other_plan = file.plan_hash != reference.plan_hash || file.whole != reference.whole ||
                          !same(file.expectations, reference.expectations, packed);
  if (found.empty() && other_plan)
    add(Kind::other_plan, fmt::format("is part of another plan ({} cells, {}) than {} ({} cells, {}); {}", file.whole,
                                      shortened(file.plan_hash), reference.path, reference.whole,
                                      shortened(reference.plan_hash), once_more));
  return found;
}

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
  if (like.shard == shard && command != like.provenance.end()) return command->second;
  const auto study = like.provenance.find("study_path");
  return fmt::format("poslab run {} --shard {}", study == like.provenance.end() ? "STUDY" : study->second,
                     shard.option());
}

ShardFiles open_shards(const std::vector<std::string>& names, MergeProblems& problems) {
  ShardFiles files;
  for (const std::string& name : names) {
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

void keep_one_run(ShardFiles& files, bool mixed_plugins, MergeProblems& problems) {
  if (files.empty()) return;
  const ShardFile& reference = reference_of(files, !mixed_plugins);
  for (auto& file : files) {
    if (file.get() == &reference) continue;
    const MergeProblems found = differences(*file, reference, mixed_plugins);
    problems.insert(problems.end(), found.begin(), found.end());
    const bool other_run =
        !found.empty() && (found.front().kind == Kind::other_study || found.front().kind == Kind::other_count);
    if (other_run) file.reset();
  }
  files.erase(std::remove(files.begin(), files.end(), nullptr), files.end());
}

void require_all_shards(const ShardFiles& files, MergeProblems& problems) {
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
    if (!name.empty() && std::filesystem::exists(name, none)) lying_about.push_back(name);
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
