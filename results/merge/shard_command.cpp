// SPDX-License-Identifier: Apache-2.0
#include "merge/shard_command.hpp"

#include <nlohmann/json.hpp>

#include "poslab/base/printable.hpp"

namespace poslab::results {
namespace {

// A command line as provenance keeps it, `["poslab", "run", ...]`; empty if it is none: the file may be anybody's.
std::vector<std::string> run_words(const std::string& command_line) {
  const auto list = nlohmann::json::parse(command_line, nullptr, false);
  if (!list.is_array()) return {};
  std::vector<std::string> words;
  for (const auto& word : list) {
    if (!word.is_string()) return {};
    words.push_back(word.get<std::string>());
  }
  const bool is_run = words.size() > 2 && words[0] == "poslab" && words[1] == "run";
  return is_run ? words : std::vector<std::string>();
}

// The same command for another shard, without --fresh, which would forget what that shard has done, and --fail-fast,
// which might not finish it.
std::vector<std::string> for_shard(const std::vector<std::string>& command, const data::Shard& shard) {
  std::vector<std::string> words;
  bool has_shard = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "--fresh" || command[i] == "--fail-fast") continue;
    const bool is_shard = command[i] == "--shard" || command[i].starts_with("--shard=");
    if (is_shard && command[i] == "--shard") ++i;  // its value
    if (is_shard)
      words.insert(words.end(), {"--shard", shard.option()});
    else
      words.push_back(command[i]);
    has_shard = has_shard || is_shard;
  }
  if (!has_shard) words.insert(words.end(), {"--shard", shard.option()});
  return words;
}

}  // namespace

std::string command_for(const ShardFile& like, const data::Shard& shard) {
  const auto text = [&](const char* name) {
    const auto found = like.provenance.find(name);
    return found == like.provenance.end() ? "" : found->second;
  };
  const std::string study = text("study_path");
  std::vector<std::string> words = run_words(text("command_line"));
  if (words.empty()) words = {"poslab", "run", study.empty() ? "STUDY" : study};
  return base::shell_words(for_shard(words, shard));
}

}  // namespace poslab::results
