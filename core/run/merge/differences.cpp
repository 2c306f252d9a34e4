// SPDX-License-Identifier: Apache-2.0
// Which shards are of another run than most, and in what.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "merge/shard_set.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::run {
namespace {

using Kind = MergeProblem::Kind;
using journal::ShardRecord;

std::string shortened(const std::string& hash) { return hash.substr(0, 12); }

std::string declared(data::SchemeInfo scheme) {
  scheme.file_hash.clear();
  scheme.linked.clear();
  return data::pack(scheme);
}

// Everything that the shards of one run have in common; of plugins only if they must be the same.
std::string common(const ShardRecord& file, bool with_plugins) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", file.study_hash, file.shard.count, file.poslab, file.plan_hash);
  for (const data::ExperimentInfo& experiment : file.experiments) text += data::pack(experiment);
  for (const data::SchemeInfo& scheme : file.schemes) text += with_plugins ? data::pack(scheme) : declared(scheme);
  for (const data::Expectation& expectation : file.expectations) text += data::pack(expectation);
  return text;
}

// The first of the shards that most agree with.
const Shard& reference_of(const Shards& shards, bool with_plugins) {
  std::map<std::string, std::size_t> alike;
  std::vector<std::string> facts;
  for (const auto& shard : shards) ++alike[facts.emplace_back(common(shard->journal.record, with_plugins))];
  std::size_t reference = 0;
  for (std::size_t i = 0; i < shards.size(); ++i)
    if (alike[facts[i]] > alike[facts[reference]]) reference = i;
  return *shards[reference];
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

MergeProblems differences(const Shard& shard, const Shard& other, bool mixed_plugins) {
  const ShardRecord &file = shard.journal.record, &reference = other.journal.record;
  MergeProblems found;
  const auto add = [&](Kind kind, const std::string& text) { found.push_back({kind, shard.name, text}); };
  if (file.study_hash != reference.study_hash) {
    add(Kind::other_study,
        fmt::format(
            "holds another study (\"{}\", {}) than {} (\"{}\", {}); merge the shards of one study, run with the "
            "same --axis and --only",
            file.title, shortened(file.study_hash), other.name, reference.title, shortened(reference.study_hash)));
    return found;
  }
  if (file.shard.count != reference.shard.count) {
    add(Kind::other_count, fmt::format("is shard {}, but {} is shard {}; merge shards of one number", file.shard.text(),
                                       other.name, reference.shard.text()));
    return found;
  }
  if (file.poslab != reference.poslab)
    add(Kind::other_version, fmt::format("was written by poslab {}, but {} by poslab {}; {}", file.poslab, other.name,
                                         reference.poslab, once_more));
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
                file.schemes[i].id, other.name, data::code_difference(here, there), once_more));
  }
  const bool other_plan = file.plan_hash != reference.plan_hash || file.whole != reference.whole ||
                          !same(file.expectations, reference.expectations, packed);
  if (found.empty() && other_plan)
    add(Kind::other_plan,
        fmt::format("is part of another plan ({}, {}) than {} ({}, {}); {}", base::counted(file.whole, "cell"),
                    shortened(file.plan_hash), other.name, base::counted(reference.whole, "cell"),
                    shortened(reference.plan_hash), once_more));
  return found;
}

}  // namespace

void keep_one_run(Shards& shards, bool mixed_plugins, MergeProblems& problems) {
  if (shards.empty()) return;
  const Shard& reference = reference_of(shards, !mixed_plugins);
  std::erase_if(shards, [&](const auto& shard) {
    if (shard.get() == &reference) return false;
    const MergeProblems found = differences(*shard, reference, mixed_plugins);
    problems.insert(problems.end(), found.begin(), found.end());
    return !found.empty() && (found.front().kind == Kind::other_study || found.front().kind == Kind::other_count);
  });
}

}  // namespace poslab::run
