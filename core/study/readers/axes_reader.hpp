// SPDX-License-Identifier: Apache-2.0
// The `axes` and `zip` of a scheme or of an experiment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/base/refusal.hpp"

#include "readers/table_reader.hpp"

namespace poslab::study {

/// The names that may vary, in declared order, and what messages call them.
struct Vocabulary {
  std::string owner;  ///< "rope", "relative-shift"
  std::string word;   ///< "a parameter", "an axis"
  std::vector<data::AxisInfo> axes;

  const data::AxisInfo* find(const std::string& name) const;
  std::size_t index(const std::string& name) const;  ///< in declared order
  std::vector<std::string> names() const;
  std::string unknown(const std::string& name) const;  ///< the sentence for a name that is not among them
};

/// `d_model`, `heads`, then the outer axes, then the inner ones.
Vocabulary vocabulary_of(const data::ExperimentInfo& experiment);
Vocabulary vocabulary_of(const data::SchemeInfo& scheme);

/// `d_model` and `heads`, which every experiment has.
std::vector<data::AxisInfo> model_axes();

struct Axes {
  std::vector<AxisValues> axes;
  std::vector<Zip> zips;
};

/// Where a name was given: the location, and the key ("set", "axes", "zip").
struct Taken {
  SourceLocation location;
  std::string where;
};

/// Reads `axes` and `zip`, in declared order. `taken` holds the names that were given elsewhere; those that are read
/// here are added.
Axes read_axes(TableReader& table, const Vocabulary& vocabulary, std::map<std::string, Taken>& taken);

/// Sorts axes, the lists of each zip, and the zips by their first list, into declared order.
void sort_axes(std::vector<AxisValues>& axes, std::vector<Zip>& zips, const Vocabulary& vocabulary);

/// Why heads cannot share d_model, or empty.
std::optional<base::Refusal> why_not_heads(std::int64_t d_model, std::int64_t heads);

}  // namespace poslab::study
