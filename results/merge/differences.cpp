// SPDX-License-Identifier: Apache-2.0
// Which shards are of another run than most, and in what.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "merge/checks.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::results {
namespace {

using Kind = MergeProblem::Kind;

std::string shortened(const std::string& hash) { return hash.substr(0, 12); }

std::string declared(data::SchemeInfo scheme) {
  scheme.file_hash.clear();
  scheme.linked.clear();
  return data::pack(scheme);
}

// Everything that the shards of one run have in common; of plugins only if they must be the same.
std::string common(const ShardFile& file, bool with_plugins) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", file.study_hash, file.shard.count, file.poslab_version,
                                 file.schema_version, file.plan_hash);
  for (const data::ExperimentInfo& experiment : file.experiments) text += data::pack(experiment);
  for (const data::SchemeInfo& scheme : file.schemes) text += with_plugins ? data::pack(scheme) : declared(scheme);
  for (const data::Expectation& expectation : file.expectations) text += data::pack(expectation);
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
  const auto packed = [](const auto& info) { return data::pack(info); };
  if (!same(file.experiments, reference.experiments, packed))
    add(Kind::other_version, difference("experiments", file.experiments, reference.experiments) + "; " + once_more);
  if (!same(file.schemes, reference.schemes, declared)) {
    add(Kind::other_version, difference("schemes", file.schemes, reference.schemes) + "; " + once_more);
  } else if (!mixed_plugins) {
    for (std::size_t i = 0; i < file.schemes.size(); ++i)
      if (const std::string here = file.schemes[i].code_hash(), there = reference.schemes[i].code_hash(); here != there)
        add(Kind::other_plugin,
            fmt::format(
                "was made with another file of the plugin of {}, or of a library that it loads, than {} ({}); {}",
                file.schemes[i].id, reference.path, data::code_difference(here, there), once_more));
  }
  const bool other_plan = file.plan_hash != reference.plan_hash || file.whole != reference.whole ||
                          !same(file.expectations, reference.expectations, packed);
  if (found.empty() && other_plan)
    add(Kind::other_plan,
        fmt::format("is part of another plan ({}, {}) than {} ({}, {}); {}", base::counted(file.whole, "cell"),
                    shortened(file.plan_hash), reference.path, base::counted(reference.whole, "cell"),
                    shortened(reference.plan_hash), once_more));
  return found;
}

}  // namespace

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

}  // namespace poslab::results
