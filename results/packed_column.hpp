// SPDX-License-Identifier: Apache-2.0
// Records of any length over one dimension: their bytes one after another in `<name>_words`, eight to a word, the first the
// lowest, and `<name>_end`, after how many bytes each ends. Words, because they are mostly doubles, of which HDF5's shuffle then
// brings like bytes together: a tenth of the room.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "group.hpp"

namespace poslab::results {

/// Asks for every record twice, in order: the file must know how long they are together before it holds the first.
void write_packed(Group& group, const std::string& name, const std::string& dimension, std::size_t count,
                  const std::string& sentence, const std::function<std::string(std::size_t)>& record);

class PackedColumn {
 public:
  PackedColumn() = default;
  /// Throws h5::Error or base::Error if the group has no such column, or one that contradicts itself.
  PackedColumn(const h5::Handle& group, const std::string& name);
  std::size_t size() const { return ends_.size(); }
  std::size_t length(std::size_t i) const { return ends_[i] - (i == 0 ? 0 : ends_[i - 1]); }
  /// Quick where records are asked for in order: it reads ahead.
  std::string at(std::size_t i);

 private:
  h5::Handle words_;
  std::vector<std::uint64_t> ends_;
  std::string window_;
  std::uint64_t window_start_ = 0;
};

}  // namespace poslab::results
