// SPDX-License-Identifier: Apache-2.0
#include "write/dimension_use.hpp"

#include <algorithm>
#include <iterator>

namespace poslab::results {

void DimensionUse::add(const std::vector<double>* coordinates) {
  const bool some = coordinates && !coordinates->empty();
  list_of_cell_.push_back(
      some ? static_cast<std::ptrdiff_t>(lists_.try_emplace(*coordinates, lists_.size()).first->second) : -1);
}

void DimensionUse::finish() {
  for (const auto& [list, number] : lists_) {
    std::vector<double> both;
    std::set_union(union_.begin(), union_.end(), list.begin(), list.end(), std::back_inserter(both));
    union_ = std::move(both);
  }
  indices_of_list_.resize(lists_.size());
  for (const auto& [list, number] : lists_)
    for (const double x : list)
      indices_of_list_[number].push_back(
          static_cast<std::size_t>(std::lower_bound(union_.begin(), union_.end(), x) - union_.begin()));
}

const std::vector<std::size_t>& DimensionUse::indices(std::size_t cell) const {
  static const std::vector<std::size_t> none;
  const std::ptrdiff_t list = list_of_cell_.at(cell);
  return list < 0 ? none : indices_of_list_[static_cast<std::size_t>(list)];
}

bool DimensionUse::prefixes_only() const {
  const auto is_prefix = [](const std::vector<std::size_t>& indices) { return indices.back() + 1 == indices.size(); };
  return std::all_of(indices_of_list_.begin(), indices_of_list_.end(), is_prefix);
}

}  // namespace poslab::results
