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
    for (const char* name : {"host", "processor", "machines", "threads", "started", "run_seconds", "command_line",
                             "git_commit", "plugins"})
      if (const auto found = source.provenance.find(name); found != source.provenance.end())
        text += fmt::format(", \"{}\": {}", name, json(found->second));
    text += "}";
  }
  return "[" + text + "]";
}

// What our own JSON says of processors, in the text of a file that anybody may have written.
std::set<std::string> processors_of(const results::Merge::Source& source) {
  static const std::string mark = "\"processor\": \"";
  std::set<std::string> found;
  const auto machines = source.provenance.find("machines");
  const std::string text = machines == source.provenance.end() ? "" : machines->second;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    found.insert(text.substr(at, text.find('"', at) - at));
  }
  return found;
}

// "a, b and c" if there are several.
std::string several(const std::set<std::string>& words) {
  return words.size() < 2 ? "" : base::enumerate({words.begin(), words.end()});
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

std::vector<std::string> mixture_notes(const std::vector<results::Merge::Source>& sources) {
  std::set<std::string> commits, processors;
  for (const results::Merge::Source& source : sources) {
    if (const auto commit = source.provenance.find("git_commit"); commit != source.provenance.end())
      commits.insert(commit->second);
    processors.merge(processors_of(source));
  }
  std::vector<std::string> notes;
  if (const std::string all = several(commits); !all.empty())
    notes.push_back("these shards were made by builds of different commits: " + all);
  if (const std::string all = several(processors); !all.empty())
    notes.push_back("these shards were made on different processors, so that another run may differ in last bits: " +
                    all);
  return notes;
}

}  // namespace poslab::app
