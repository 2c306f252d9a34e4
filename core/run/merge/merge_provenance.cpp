// SPDX-License-Identifier: Apache-2.0
#include "merge/merge_provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "poslab/base/find_by.hpp"
#include "poslab/base/json.hpp"
#include "poslab/base/machine.hpp"

namespace poslab::run {
namespace {

using base::Json;

std::string text_of(const Shard& shard, const char* name) {
  const auto& texts = shard.journal.record.provenance;
  const auto found = texts.find(name);
  return found == texts.end() ? "" : found->second;
}

void add_builds(std::vector<journal::JournalBuild>& sum, const std::vector<journal::JournalBuild>& more) {
  for (const journal::JournalBuild& build : more) {
    journal::JournalBuild* found = base::find_by(sum, &journal::JournalBuild::build, build.build);
    if (!found) found = &sum.emplace_back(journal::JournalBuild{build.build, 0, {}});
    found->cells += build.cells;
    found->variants.insert(build.variants.begin(), build.variants.end());
  }
}

// Each item of a list once; what is no list is passed over.
void add_items(Json& sum, const std::string& text) {
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) return;
  for (const Json& item : list)
    if (std::find(sum.begin(), sum.end(), item) == sum.end()) sum.push_back(item);
}

Json shard_json(const Shard& shard, const std::vector<journal::JournalMachine>& machines,
                const std::vector<journal::JournalBuild>& builds) {
  Json json = {{"file", shard.name}, {"shard", shard.journal.record.shard.option()}};
  for (const char* name :
       {"host", "processor", "threads", "started", "command_line", "git_commit", "plugins", "plugin_checks"})
    if (std::string text = text_of(shard, name); !text.empty()) json[name] = std::move(text);
  std::int64_t ended = shard.journal.status.began;
  for (const journal::JournalMachine& machine : machines) ended = std::max(ended, machine.last);
  json["run_seconds"] = fmt::format("{}", ended - shard.journal.status.began);
  json["machines"] = machines_text(machines);
  json["builds"] = builds_text(builds);
  return json;
}

}  // namespace

MergedFacts::MergedFacts(const Shards& shards) {
  Json given = Json::array(), all = Json::array();
  for (const auto& shard : shards) {
    const auto machines = shard->journal.machines();
    const auto own_builds = shard->journal.builds();
    shard->journal.close();
    for (const journal::JournalMachine& machine : machines) mixture.processors.insert(machine.processor);
    if (const std::string commit = text_of(*shard, "git_commit"); !commit.empty()) mixture.commits.insert(commit);
    for (const journal::JournalBuild& build : own_builds) mixture.commits.insert(build.build.git_commit);
    add_builds(builds, own_builds);
    data::add(plugin_checks, data::plugin_checks_of(text_of(*shard, "plugin_checks")));
    add_items(given, text_of(*shard, "supply"));
    all.push_back(shard_json(*shard, machines, own_builds));
  }
  if (!given.empty()) supply = base::json_text(given);
  shards_text = base::json_text(all);
}

results::Provenance MergedFacts::provenance(const Shard& first, const std::vector<std::string>& arguments,
                                            const Stopwatch& watch) const {
  results::Provenance provenance;
  for (const char* name : {"study", "study_path", "resolved_study", "versions", "experiment_versions", "plugins",
                           "git_commit", "compiler", "compile_flags"})
    if (const std::string text = text_of(first, name); !text.empty()) provenance.texts.emplace_back(name, text);
  provenance.texts.emplace_back("plugin_checks", data::to_json(plugin_checks));
  provenance.texts.emplace_back("builds", builds_text(builds));
  if (!supply.empty()) provenance.texts.emplace_back("supply", supply);
  provenance.texts.emplace_back("shards", shards_text);
  provenance.texts.emplace_back("processor", base::processor_name());
  provenance.texts.emplace_back("host", base::host_name());
  provenance.texts.emplace_back("command_line", command_line_text("merge", arguments));
  provenance.texts.emplace_back("started", watch.started());
  provenance.texts.emplace_back("run_seconds", fmt::format("{:.3f}", watch.seconds()));
  return provenance;
}

}  // namespace poslab::run
