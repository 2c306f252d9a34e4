// SPDX-License-Identifier: Apache-2.0
#include "roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::identify {
namespace {

constexpr std::array kind_names{"table", "cosines", "sines",  "frequencies", "rotated",
                                "bias",  "slopes",  "logits", "outputs"};

struct Words {
  Role role;
  std::vector<const char*> names;  // the first is the word of --as
};

// As models and their tests call them.
const std::vector<Words>& all_words() {
  static const std::vector<Words> all{
      {Role::positions,
       {"positions", "position_ids", "position", "pos_ids", "sorted_positions", "positions_thw", "relative_position"}},
      {Role::table,
       {"table", "pe", "wpe", "pos_embed", "pos_embedding", "position_embedding", "position_embeddings",
        "positional_encoding", "positional_embedding", "encoding", "embed_positions", "encoding_table", "pos_emb"}},
      {Role::cosines, {"cosines", "cos", "cosine", "cos_cached", "freqs_cos", "cos_table", "cos_cache"}},
      {Role::sines, {"sines", "sin", "sine", "sin_cached", "freqs_sin", "sin_table", "sin_cache"}},
      {Role::frequencies,
       {"frequencies", "inv_freq", "inv_freqs", "inverse_frequency", "inverse_frequencies", "freqs", "theta"}},
      {Role::query, {"query", "q", "queries", "q_before", "query_before", "before", "query_states"}},
      {Role::key, {"key", "k", "keys", "k_before", "key_before", "key_states"}},
      {Role::rotated_query,
       {"rotated_query", "q_rot", "q_after", "query_after", "q_embed", "q_rotated", "query_rotated", "after",
        "rotated"}},
      {Role::rotated_key, {"rotated_key", "k_rot", "k_after", "key_after", "k_embed", "k_rotated", "key_rotated"}},
      {Role::bias,
       {"bias", "alibi", "position_bias", "attention_bias", "rel_pos_bias", "key_row_bias", "relative_position_bias"}},
      {Role::slopes, {"slopes", "alibi_slopes"}},
      {Role::logits, {"logits", "scores", "attn_scores", "attention_scores", "logits_out", "rel_logits"}},
      {Role::value, {"value", "v", "values", "value_states"}},
      {Role::outputs, {"outputs", "out", "output", "attn_output", "attention_output", "context"}},
      {Role::layer_input, {"layer_input", "hidden_states", "x"}},
      {Role::weight, {"weight"}}};
  return all;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::optional<Role> by_name(const std::string& name) {
  const std::string whole = lower(name);
  const std::string last = whole.substr(whole.find_last_of("/.") + 1);
  for (const Words& words : all_words())
    if (words.role != Role::weight)
      for (const char* word : words.names)
        if (whole == word || last == word) return words.role;
  return std::nullopt;
}

Role by_word(const std::string& array, const std::string& word) {
  std::vector<std::string> known;
  for (const Words& words : all_words()) {
    if (words.names.front() == word) return words.role;
    known.emplace_back(words.names.front());
  }
  if (word == "before") return Role::query;
  if (word == "after" || word == "rotated") return Role::rotated_query;
  throw BadDump(fmt::format("--as {}={}: an array is one of before, after, {}{}", base::printable(array),
                            base::printable(word), base::enumerate(known), base::did_you_mean(word, known)));
}

Role by_shape(const DumpArray& array) {
  const std::vector<Index> shape = without_ones(array.shape);
  if (shape.size() <= 1) return Role::frequencies;
  if (shape.size() >= 3 && shape.back() == shape[shape.size() - 2]) return Role::bias;
  return Role::table;
}

std::optional<Role> role_of(const DumpArray& array, const Request& request) {
  const auto said = request.as.find(array.name);
  return said != request.as.end() ? by_word(array.name, said->second) : by_name(array.name);
}

// Beside a bias, logits or rows of it, what is called a table is the weight that they are made of.
bool is_table_of_weights(const Dump& dump, const DumpArray& array, const Request& request) {
  return lower(array.name) == "table" && request.as.count(array.name) == 0 &&
         std::any_of(dump.arrays.begin(), dump.arrays.end(), [&](const DumpArray& other) {
           if (&other == &array) return false;
           const auto role = role_of(other, request);
           return role == Role::bias || role == Role::logits || role == Role::table;
         });
}

bool taken(const std::vector<ArrayRole>& roles, Role role) {
  return std::any_of(roles.begin(), roles.end(), [&](const ArrayRole& r) { return r.role == role; });
}

}  // namespace

std::vector<ArrayRole> roles_of(const Dump& dump, const Request& request) {
  for (const auto& [name, word] : request.as)
    if (!dump.find(name))
      throw BadDump(fmt::format("--as {}={}: the dump has no array of that name", base::printable(name), word));
  std::vector<ArrayRole> roles;
  std::vector<const DumpArray*> nameless;
  for (const DumpArray& array : dump.arrays) {
    std::optional<Role> role;
    if (request.as.count(array.name) != 0 || !(request.kind && dump.arrays.size() == 1)) role = role_of(array, request);
    if (!role) {
      nameless.push_back(&array);
      continue;
    }
    if (is_table_of_weights(dump, array, request)) role = Role::weight;
    if (*role != Role::weight && taken(roles, *role))
      throw BadDump(
          fmt::format("two arrays of the dump seem to be the same, one of them {}; say what they are with --as "
                      "NAME=KIND, or dump one of them",
                      base::excerpt(array.name)));
    roles.push_back({&array, *role});
  }
  const bool rotated = request.kind == Kind::rotated;
  if (rotated && nameless.size() == 2 && roles.empty()) {
    if (!dump.is_in_order)
      throw BadDump(
          fmt::format("which of {} and {} is before and which after cannot be told, since the file keeps no order of "
                      "its arrays: say it with --as NAME=before --as NAME=after",
                      base::excerpt(nameless[0]->name), base::excerpt(nameless[1]->name)));
    roles = {{nameless[0], Role::query}, {nameless[1], Role::rotated_query}};
    nameless.clear();
  }
  const bool only =
      std::all_of(roles.begin(), roles.end(), [](const ArrayRole& r) { return r.role == Role::positions; });
  for (const DumpArray* array : nameless) {
    Role role = Role::weight;
    const auto asked = request.kind ? std::optional(by_word(array->name, to_text(*request.kind))) : std::nullopt;
    if (asked && (nameless.size() == 1 || only) && !taken(roles, *asked))
      role = *asked;
    else if (only && nameless.size() == 1)
      role = by_shape(*array);
    roles.push_back({array, role});
  }
  return roles;
}

const char* to_text(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::vector<std::string> kind_words() { return {kind_names.begin(), kind_names.end()}; }

std::optional<Kind> kind_of(const std::string& word) {
  for (int kind = 0; kind <= static_cast<int>(Kind::outputs); ++kind)
    if (word == to_text(static_cast<Kind>(kind))) return static_cast<Kind>(kind);
  return std::nullopt;
}

}  // namespace poslab::identify
