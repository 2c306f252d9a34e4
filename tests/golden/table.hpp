// SPDX-License-Identifier: Apache-2.0
// The table golden/schemes/*.json: how a golden scheme's attributes and datasets become ours. schemes.md explains its
// words.
#pragma once

#include <optional>
#include <string>

#include "facts.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::golden {

class Table {
 public:
  /// Reads every file of the folder.
  explicit Table(const std::string& folder);
  /// The first rule of the case's scheme whose `when` and `needs` hold; throws Unknown if there is none.
  const Json& rule_for(const Facts& facts) const;

 private:
  Json rules_;
};

/// `rule`[`key`], or null.
const Json& member(const Json& rule, const char* key);

/// A value of the table: a literal, or {"attribute": name, "words": [[theirs, ours], ...]}. Null: the attribute is
/// absent.
Json translated(const Facts& facts, const Json& spec);

/// The parameters that the rule sets, typed as the scheme declares them.
data::Values parameters_of(const Facts& facts, const Json& rule, const data::SchemeInfo& info);

/// The rule's `model`: width, heads (1), train_length (512).
host::Model model_of(const Facts& facts, const Json& rule);

/// Positions [N, A]; see "positions" in the table's own explanation.
base::Array<double> positions_of(const Facts& facts, const Json& spec);

}  // namespace poslab::golden
