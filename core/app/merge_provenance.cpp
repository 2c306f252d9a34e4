// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/merge_provenance.hpp"

#include <fmt/format.h>

#include <set>

#include "poslab/app/bash_words.hpp"
#include "poslab/base/text.hpp"
#include "poslab/base/value.hpp"
#include "poslab/run/machine.hpp"

namespace poslab::app {
namespace {

std::string json(const std::string& text) { return base::to_json(base::Value{text}); }

// What each shard says of the machine that it was made on.
std::string shards_json(const std::vector<results::Merge::Source>& sources) {
  std::string text;
  for (const results::Merge::Source& source : sources) {
    text += fmt::format("{}{{\"file\": {}, \"shard\": \"{}\"", text.empty() ? "" : ", ", json(source.file),
                        source.shard.option());
    for (const char* name :
         {"host", "processor", "threads", "started", "run_seconds", "command_line", "git_commit", "plugins"})
      if (const auto found = source.provenance.find(name); found != source.provenance.end())
        text += fmt::format(", \"{}\": {}", name, json(found->second));
    text += "}";
  }
  return "[" + text + "]";
}

}  // namespace

results::Provenance merge_provenance(const std::vector<results::Merge::Source>& sources,
                                     const std::vector<std::string>& arguments, const Stopwatch& watch) {
  results::Provenance provenance;
  for (const char* name : {"study", "study_path", "resolved_study", "versions", "experiment_versions", "plugins",
                           "git_commit", "compiler", "compile_flags"})
    if (const auto found = sources.front().provenance.find(name); found != sources.front().provenance.end())
      provenance.texts.emplace_back(name, found->second);
  provenance.texts.emplace_back("shards", shards_json(sources));
  provenance.texts.emplace_back("processor", run::processor_name());
  provenance.texts.emplace_back("host", run::host_name());
  provenance.texts.emplace_back("command_line", "poslab merge " + bash_words(arguments));
  provenance.texts.emplace_back("started", watch.started());
  provenance.texts.emplace_back("run_seconds", fmt::format("{:.3f}", watch.seconds()));
  return provenance;
}

std::string builds_note(const std::vector<results::Merge::Source>& sources) {
  std::set<std::string> commits;
  for (const results::Merge::Source& source : sources)
    if (const auto commit = source.provenance.find("git_commit"); commit != source.provenance.end())
      commits.insert(commit->second);
  if (commits.size() < 2) return "";
  return fmt::format("these shards were made by builds of different commits: {}",
                     base::enumerate({commits.begin(), commits.end()}));
}

}  // namespace poslab::app
