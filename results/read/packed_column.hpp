// SPDX-License-Identifier: Apache-2.0
// Reads what write/packed_column.hpp writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "h5/dataset.hpp"

namespace poslab::results {

class PackedColumn {
 public:
  PackedColumn() = default;
  /// Throws h5::Error or base::Error if the group has no such column, or one that contradicts itself.
  PackedColumn(const h5::Handle& group, const std::string& name);
  std::size_t size() const { return ends_.size(); }
  std::size_t length(std::size_t i) const { return ends_[i] - (i == 0 ? 0 : ends_[i - 1]); }
  /// Fast where records are read in order: it reads ahead.
  std::string at(std::size_t i);

 private:
  h5::Handle words_;
  std::vector<std::uint64_t> ends_;
  std::string window_;
  std::uint64_t window_start_ = 0;
};

}  // namespace poslab::results
