// SPDX-License-Identifier: Apache-2.0
// The `axes` and `zip` of a scheme or of an experiment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "table_reader.hpp"

namespace poslab::spec {

/// The names that may vary, in declared order, and how messages speak of them.
struct Vocabulary {
  std::string owner;  ///< "rope", "relative-shift"
  std::string word;   ///< "a parameter", "an axis"
  std::vector<base::AxisInfo> axes;

  const base::AxisInfo* find(const std::string& name) const;
  std::size_t index(const std::string& name) const;  ///< in declared order
  std::vector<std::string> names() const;
  std::string unknown(const std::string& name) const;  ///< the sentence for a name that is not among them
};

/// `d_model`, `heads`, then the outer axes, then the inner ones.
Vocabulary vocabulary_of(const base::ExperimentInfo& experiment);
Vocabulary vocabulary_of(const base::SchemeInfo& scheme);

/// `d_model` and `heads`, which every experiment has.
std::vector<base::AxisInfo> model_axes();

struct Axes {
  std::vector<AxisValues> axes;
  std::vector<Zip> zips;
};

/// Reads `axes` and `zip`, in declared order. `taken` holds names given elsewhere, each with the place and the word for
/// it ("set"); the names that are read here are added.
struct Taken {
  Place place;
  std::string where;
};
Axes read_axes(TableReader& table, const Vocabulary& vocabulary, std::map<std::string, Taken>& taken);

/// Sorts axes, the lists of each zip, and the zips by their first list, into declared order.
void sort_axes(std::vector<AxisValues>& axes, std::vector<Zip>& zips, const Vocabulary& vocabulary);

/// Why heads cannot share d_model, or empty.
std::string why_not_heads(std::int64_t d_model, std::int64_t heads);

}  // namespace poslab::spec
