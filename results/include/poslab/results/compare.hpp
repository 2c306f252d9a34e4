// SPDX-License-Identifier: Apache-2.0
// Compares two results files.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace poslab::results {

struct Difference {
  std::string where;  ///< object or cell and measure
  std::string what;   ///< one sentence with both values
  // Within tolerance only:
  std::string experiment = {}, measure = {};
  std::string cell = {};   ///< "rope, d_model 128, length 512"; empty: it is no cell's
  std::size_t values = 1;  ///< of this cell that are outside
  double excess = 0;       ///< the worst of them: how many times what is allowed; infinite where nothing is
};

struct Comparison {
  std::vector<Difference> differences;
  std::size_t compared_cells = 0, only_in_first = 0, only_in_second = 0;
  /// Within tolerance only: numbers held against each other, and how many of them belong to measures that claim no
  /// bound, of which only presence is compared.
  std::size_t compared_values = 0, statistical_values = 0;
  std::map<std::pair<std::string, std::string>, std::size_t> values_of;  ///< compared, by experiment and measure
  std::vector<std::string> reasons;  ///< why cells of either file have no partner in the other, as far as it shows
  /// The cells of these that are the same but for the version of their scheme or experiment, held against each other;
  /// empty, or one.
  std::vector<Comparison> between_versions = {};
  bool equal() const { return differences.empty() && only_in_first == 0 && only_in_second == 0; }
};

/// Every object outside `provenance` equal in name, order, type, shape, attributes and values, bit for bit.
Comparison compare_exact(const std::string& first, const std::string& second);
/// Cells joined on identity; each measure within its own tolerance, read from the first file (results/schema.md).
Comparison compare_within_tolerance(const std::string& first, const std::string& second);

}  // namespace poslab::results
