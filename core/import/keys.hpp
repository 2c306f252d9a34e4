// SPDX-License-Identifier: Apache-2.0
// The keys of a configuration, read by name and type, each noted with what it became, so that what nobody has read can
// be told.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/import/model.hpp"

namespace poslab::importing {

using Object = nlohmann::json;  // sorted: thousands of keys are found fast

/// What has been read so far.
struct Ledger {
  std::vector<UsedKey> used;
  std::vector<AssumedValue> assumed;
  std::vector<Limit> limits;
  std::set<std::string> read;            // paths of keys
  std::set<const Object*> of_positions;  // objects all of whose keys are about positions

  void assume(const std::string& meaning, const std::string& value);
  void limit(Limit::Kind kind, const std::string& subject = "", double amount = 0);
};

/// "num_hidden_layers is "many", but must be a whole number, at least 1"
base::Error wrong_value(const std::string& key, const Object& value, const std::string& needed);
/// "the configuration has no hidden_size (or n_embd, d_model): ..."
base::Error missing(std::initializer_list<const char*> names, const std::string& meaning);
/// What the configuration says, and no scheme can do.
inline base::Error not_served(const std::string& problem) { return {base::Error::Kind::request, problem}; }

/// An object of a configuration. A key whose value is null counts as absent, as its readers have it.
class Keys {
 public:
  using Names = std::initializer_list<const char*>;  // the first that is there counts

  Keys(const Object& object, std::string path, Ledger& ledger)
      : object_(&object), path_(std::move(path)), ledger_(&ledger) {}

  bool has(const char* name) const;
  std::optional<double> number(Names names, const char* meaning) const;  ///< finite
  std::optional<double> positive(Names names, const char* meaning) const;
  std::optional<std::int64_t> count(Names names, const char* meaning) const;  ///< at least 1
  std::int64_t required_count(Names names, const char* meaning) const;
  std::optional<bool> flag(Names names, const char* meaning) const;
  std::optional<std::string> text(Names names, const char* meaning) const;
  std::optional<std::vector<double>> numbers(Names names, const char* meaning) const;
  std::optional<std::vector<std::string>> texts(Names names, const char* meaning) const;
  /// Two numbers, or one that stands for both.
  std::optional<std::vector<std::int64_t>> pair(Names names, const char* meaning) const;
  std::optional<Keys> table(const char* name) const;
  /// All of whose keys are about positions.
  std::optional<Keys> table_of_positions(const char* name) const;
  /// Read, and told by another: nothing is noted of it.
  void pass_over(Names names) const;

  const Object& object() const { return *object_; }
  const std::string& path() const { return path_; }
  Ledger& ledger() const { return *ledger_; }

 private:
  const Object* find(Names names, const char* meaning, std::string& key) const;

  const Object* object_;
  std::string path_;  // "text_config." or empty
  Ledger* ledger_;
};

}  // namespace poslab::importing
