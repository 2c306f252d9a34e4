// SPDX-License-Identifier: Apache-2.0
// Keys of one table.
#include "readers/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::study {
namespace {

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_plain(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());  // of lines that end in two
  return base::printable(text, base::LineBreaks::kept) == text;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \n\r\t") == std::string::npos; }

}  // namespace

const toml::node* TableReader::find(const std::string& key) {
  if (!holds(known_, key)) known_.push_back(key);
  return table_.get(key);
}

const toml::node* TableReader::require(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) report_.add(location_, fmt::format("{} needs \"{}\"", name_, key));
  return node;
}

const toml::table* TableReader::table(const std::string& key) {
  const toml::node* node = find(key);
  if (!node || node->is_table()) return node ? node->as_table() : nullptr;
  report_.add(location_of(*node), fmt::format("\"{}\" is {}, but must be a table", key, kind_of(*node)));
  return nullptr;
}

std::vector<const toml::table*> TableReader::tables(const std::string& key) {
  std::vector<const toml::table*> found;
  const toml::node* node = find(key);
  if (!node) return found;
  const toml::array* list = node->as_array();
  if (!list) {
    report_.add(location_of(*node),
                fmt::format("\"{}\" is {}, but must be a list of tables: write [[{}{}]]", key, kind_of(*node),
                            name_.substr(0, 2) == "[[" ? name_.substr(2, name_.size() - 4) + "." : "", key));
    return found;
  }
  for (const toml::node& element : *list) {
    if (const toml::table* one = element.as_table()) {
      found.push_back(one);
    } else {
      report_.add(location_of(element),
                  fmt::format("\"{}\" holds {}, but must be a list of tables", key, kind_of(element)));
    }
  }
  return found;
}

std::optional<std::string> TableReader::required_text(const std::string& key) {
  return require(key) ? text(key) : std::nullopt;
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const auto value = node->value_exact<std::string>();
  if (!value) {
    report_.add(location_of(*node), fmt::format("\"{}\" is {}, but must be a text", key, kind_of(*node)));
  } else if (is_blank(*value)) {
    report_.add(location_of(*node), fmt::format("\"{}\" is empty", key));
  } else if (!is_plain(*value)) {
    report_.add(location_of(*node), fmt::format("\"{}\" holds a control character: {}", key, shown(*value)));
  } else {
    return value;
  }
  return std::nullopt;
}

void TableReader::refuse_others(const std::vector<std::string>& misplaced, const std::string& their_table) {
  for (const Entry& entry : in_file_order(table_)) {
    if (holds(known_, entry.name)) continue;
    std::string advice = base::did_you_mean(entry.name, known_);
    if (holds(misplaced, entry.name)) {
      advice = fmt::format("; it belongs in {}", their_table);
    } else if (advice.empty()) {
      advice = fmt::format("; its keys are {}", base::enumerate(known_));
    }
    report_.add(entry.location, fmt::format("unknown key {} in {}{}", shown(entry.name), name_, advice));
  }
}

}  // namespace poslab::study
