// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/merge_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"
#include "poslab/base/machine.hpp"

namespace poslab::run {
namespace {

using base::Json;
using results::Merge;

// What each shard says of the machine that it was made on.
Json shards_json(const std::vector<Merge::Source>& sources) {
  Json shards = Json::array();
  for (const Merge::Source& source : sources) {
    Json shard = {{"file", source.file}, {"shard", source.shard.option()}};
    for (const char* name : {"host", "processor", "machines", "threads", "started", "run_seconds", "command_line",
                             "git_commit", "plugins", "plugin_checks"})
      if (const auto found = source.provenance.find(name); found != source.provenance.end())
        shard[name] = found->second;
    shards.push_back(std::move(shard));
  }
  return shards;
}

// From a file that anybody may have written: whatever is not what we write is passed over.
std::set<std::string> processors_of(const Merge::Source& source) {
  const auto text = source.provenance.find("machines");
  if (text == source.provenance.end()) return {};
  const Json machines = Json::parse(text->second, nullptr, false);
  std::set<std::string> processors;
  if (machines.is_array())
    for (const Json& machine : machines)
      if (machine.is_object() && machine.contains("processor") && machine["processor"].is_string())
        processors.insert(machine["processor"].get<std::string>());
  return processors;
}

}  // namespace

results::Provenance merge_provenance(const std::vector<Merge::Source>& sources,
                                     const std::vector<std::string>& arguments, const Stopwatch& watch) {
  results::Provenance provenance;
  for (const char* name : {"study", "study_path", "resolved_study", "versions", "experiment_versions", "plugins",
                           "git_commit", "compiler", "compile_flags"})
    if (const auto found = sources.front().provenance.find(name); found != sources.front().provenance.end())
      provenance.texts.emplace_back(name, found->second);
  provenance.texts.emplace_back("plugin_checks", data::to_json(plugin_checks_of(sources)));
  if (const std::string supply = supply_of(sources); !supply.empty()) provenance.texts.emplace_back("supply", supply);
  provenance.texts.emplace_back("shards", base::json_text(shards_json(sources)));
  provenance.texts.emplace_back("processor", base::processor_name());
  provenance.texts.emplace_back("host", base::host_name());
  provenance.texts.emplace_back("command_line", command_line_text("merge", arguments));
  provenance.texts.emplace_back("started", watch.started());
  provenance.texts.emplace_back("run_seconds", fmt::format("{:.3f}", watch.seconds()));
  return provenance;
}

std::string supply_of(const std::vector<Merge::Source>& sources) {
  base::Json all = base::Json::array();
  for (const Merge::Source& source : sources) {
    const auto text = source.provenance.find("supply");
    if (text == source.provenance.end()) continue;
    const base::Json list = base::Json::parse(text->second, nullptr, false);
    if (!list.is_array()) continue;
    for (const base::Json& one : list)
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
  return all.empty() ? "" : base::json_text(all);
}

data::PluginChecks plugin_checks_of(const std::vector<Merge::Source>& sources) {
  data::PluginChecks checks;
  for (const Merge::Source& source : sources)
    if (const auto text = source.provenance.find("plugin_checks"); text != source.provenance.end())
      data::add(checks, data::plugin_checks_of(text->second));
  return checks;
}

Mixture mixture_of(const std::vector<Merge::Source>& sources) {
  Mixture mixture;
  for (const Merge::Source& source : sources) {
    if (const auto commit = source.provenance.find("git_commit"); commit != source.provenance.end())
      mixture.commits.insert(commit->second);
    mixture.processors.merge(processors_of(source));
  }
  return mixture;
}

}  // namespace poslab::run
