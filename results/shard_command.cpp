// SPDX-License-Identifier: Apache-2.0
#include "shard_command.hpp"

#include <vector>

namespace poslab::results {
namespace {

// As they are written, quotes included: what stands between spaces that no quote holds.
std::vector<std::string> words_as_written(const std::string& line) {
  enum class Quote { none, single, escapes };
  std::vector<std::string> words;
  Quote quote = Quote::none;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == Quote::none && c == ' ') {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back() += c;
    if (c == '\\' && quote != Quote::single && i + 1 < line.size()) {
      words.back() += line[++i];
    } else if (c == '\'') {
      const bool with_escapes = i > 0 && line[i - 1] == '$';
      quote = quote != Quote::none ? Quote::none : with_escapes ? Quote::escapes : Quote::single;
    }
  }
  return words;
}

}  // namespace

std::string with_shard(const std::string& command, const std::string& option) {
  const std::vector<std::string> words = words_as_written(command);
  std::string text;
  bool found = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--fresh" || words[i] == "--fail-fast") continue;
    const bool is_shard = words[i] == "--shard" || words[i].starts_with("--shard=");
    if (is_shard && words[i] == "--shard") ++i;
    text += (text.empty() ? "" : " ") + (is_shard ? "--shard " + option : words[i]);
    found = found || is_shard;
  }
  return found ? text : text + " --shard " + option;
}

}  // namespace poslab::results
