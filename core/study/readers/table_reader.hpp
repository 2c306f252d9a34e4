// SPDX-License-Identifier: Apache-2.0
// TOML text -> toml++'s tree, and the location of each part; and one table of it, read key by key.
#pragma once

#include <toml++/toml.h>
#include <optional>
#include <string>
#include <vector>

#include "report.hpp"

namespace poslab::study {

/// Throws StudyErrors with toml++'s own words where the text is not TOML.
toml::table parse_toml(const std::string& text, const std::string& path);

SourceLocation location_of(const toml::node& node);
SourceLocation location_of(const toml::key& key);

/// What a node is, for a person: "a table", "an integer", "a date" ...
const char* kind_of(const toml::node& node);

struct Entry {
  std::string name;
  SourceLocation location;  ///< of the key
  const toml::node* node;
};

/// The entries of a table as the file has them; toml++ sorts them by name.
std::vector<Entry> in_file_order(const toml::table& table);

/// Reads one table of a study key by key, and reports the keys that are left.
class TableReader {
 public:
  /// `name` says which table it is in messages: "[model]", "[[scheme]]", "the study".
  TableReader(const toml::table& table, SourceLocation location, std::string name, Report& report)
      : table_(table), location_(location), name_(std::move(name)), report_(report) {}

  SourceLocation location() const { return location_; }
  Report& report() const { return report_; }

  // Each of these makes `key` known. Where the key is there but of the wrong type, that is reported.
  const toml::node* find(const std::string& key);     ///< null: not there
  const toml::node* require(const std::string& key);  ///< the same, reported
  const toml::table* table(const std::string& key);
  std::vector<const toml::table*> tables(const std::string& key);  ///< of [[key]]; empty: not there
  /// Text that is not empty and holds no control character but tabs and line ends.
  std::optional<std::string> required_text(const std::string& key);
  std::optional<std::string> text(const std::string& key);

  /// Reports every key that is not known by now; `misplaced` are names that belong in the table `their_table`.
  void refuse_others(const std::vector<std::string>& misplaced = {}, const std::string& their_table = "");

 private:
  const toml::table& table_;
  SourceLocation location_;
  std::string name_;
  Report& report_;
  std::vector<std::string> known_;
};

}  // namespace poslab::study
