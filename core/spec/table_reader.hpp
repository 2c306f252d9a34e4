// SPDX-License-Identifier: Apache-2.0
// Reads one table of a study key by key, and reports the keys that nobody asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toml_reader.hpp"

namespace poslab::spec {

class TableReader {
 public:
  /// `name` says which table it is in messages: "[model]", "[[scheme]]", "the study".
  TableReader(const toml::table& table, Place place, std::string name, Report& report)
      : table_(table), place_(place), name_(std::move(name)), report_(report) {}

  Place place() const { return place_; }
  Report& report() const { return report_; }

  // Each of these makes `key` known. Where the key is there but of the wrong type, that is reported.
  const toml::node* find(const std::string& key);     ///< null: not there
  const toml::node* require(const std::string& key);  ///< the same, reported
  const toml::table* table(const std::string& key);
  std::vector<const toml::table*> tables(const std::string& key);  ///< of [[key]]; empty: not there
  /// Text that is not empty and holds no control character but tabs and line ends.
  std::optional<std::string> required_text(const std::string& key);
  std::optional<std::string> text(const std::string& key);

  /// Reports every key that was not asked for; `misplaced` are names that belong into the table `their_place`.
  void refuse_others(const std::vector<std::string>& misplaced = {}, const std::string& their_place = "");

 private:
  const toml::table& table_;
  Place place_;
  std::string name_;
  Report& report_;
  std::vector<std::string> known_;
};

}  // namespace poslab::spec
