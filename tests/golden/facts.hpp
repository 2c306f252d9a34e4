// SPDX-License-Identifier: Apache-2.0
// What a rule of the table may ask of a case: its attributes and datasets. Everything that is asked is remembered, so
// that an attribute or an input that the table does not know makes the case "unknown" instead of being passed over.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "case.hpp"

namespace poslab::golden {

/// The table does not say how to read this case.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Facts {
 public:
  explicit Facts(const Case& golden) : case_(golden) {}

  const Case& golden() const { return case_; }
  /// The attribute; null if the case has none of that name.
  const Json* attribute(const std::string& name) const;
  /// The input (or output) of that name; throws Unknown if there is none.
  const Dataset& dataset(const std::string& name) const;
  bool has_dataset(const std::string& name) const { return case_.find(name) != nullptr; }
  void use(const std::string& name) const { used_.insert(name); }

  /// An arithmetic expression over attributes: `heads * dim`, `shape(table, 0) - offset`, `default(scale, 1)`.
  double number(const std::string& expression) const;
  /// Throws Unknown naming the attributes and inputs that were not used.
  void require_all_used() const;

 private:
  const Case& case_;
  mutable std::set<std::string> used_;
};

}  // namespace poslab::golden
