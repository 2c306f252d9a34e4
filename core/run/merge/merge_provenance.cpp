// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/merge_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "poslab/base/find_by.hpp"
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
                             "git_commit", "builds", "plugins", "plugin_checks"})
      if (const auto found = source.provenance.find(name); found != source.provenance.end())
        shard[name] = found->second;
    shards.push_back(std::move(shard));
  }
  return shards;
}

// The objects of a list in the provenance of a file that anybody may have written; whatever is not what we write is
// passed over.
std::vector<Json> objects_of(const Merge::Source& source, const char* name) {
  const auto text = source.provenance.find(name);
  if (text == source.provenance.end()) return {};
  const Json list = Json::parse(text->second, nullptr, false);
  std::vector<Json> objects;
  if (list.is_array())
    for (const Json& item : list)
      if (item.is_object()) objects.push_back(item);
  return objects;
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// By which the cells of all shards were performed, as a run has it; nothing where one does not say.
std::string builds_of(const std::vector<Merge::Source>& sources) {
  std::vector<journal::JournalBuild> all;
  for (const Merge::Source& source : sources) {
    if (!source.provenance.contains("builds")) return "";
    for (const Json& object : objects_of(source, "builds")) {
      const journal::Build build{text_of(object, "poslab"), text_of(object, "git_commit")};
      journal::JournalBuild* found = base::find_by(all, &journal::JournalBuild::build, build);
      if (!found) found = &all.emplace_back(journal::JournalBuild{build, 0, {}});
      if (const auto cells = object.find("cells"); cells != object.end() && cells->is_number_unsigned())
        found->cells += cells->get<std::size_t>();
      if (const auto variants = object.find("variants"); variants != object.end() && variants->is_array())
        for (const Json& variant : *variants)
          if (variant.is_string()) found->variants.insert(variant.get<std::string>());
    }
  }
  return builds_text(all);
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
  if (const std::string builds = builds_of(sources); !builds.empty()) provenance.texts.emplace_back("builds", builds);
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
    for (const Json& build : objects_of(source, "builds"))
      if (const std::string made = text_of(build, "git_commit"); !made.empty()) mixture.commits.insert(made);
    for (const Json& machine : objects_of(source, "machines"))
      if (const std::string processor = text_of(machine, "processor"); !processor.empty())
        mixture.processors.insert(processor);
  }
  return mixture;
}

}  // namespace poslab::run
