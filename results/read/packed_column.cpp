// SPDX-License-Identifier: Apache-2.0
#include "read/packed_column.hpp"

#include <algorithm>

namespace poslab::results {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t), block_bytes = 1 << 16;  // bytes

}  // namespace

PackedColumn::PackedColumn(const h5::Handle& group, const std::string& name)
    : words_(h5::open_dataset(group, name + "_words")),
      ends_(h5::read_unsigned(h5::open_dataset(group, name + "_end"))) {
  const std::uint64_t words = h5::believable_length(words_), total = ends_.empty() ? 0 : ends_.back();
  if (!std::is_sorted(ends_.begin(), ends_.end()) || total / word_bytes + (total % word_bytes > 0) != words)
    throw base::Error(name + "_end does not fit " + name + "_words");
}

std::string PackedColumn::at(std::size_t i) {
  const std::uint64_t start = i == 0 ? 0 : ends_.at(i - 1), end = ends_.at(i);
  if (start < window_start_ || end > window_start_ + window_.size()) {
    const std::uint64_t first = start / word_bytes, all = (ends_.back() + word_bytes - 1) / word_bytes;
    const std::uint64_t last =
        std::min(all, std::max((end + word_bytes - 1) / word_bytes, first + block_bytes / word_bytes));
    window_start_ = first * word_bytes;
    window_ = h5::read_words(words_, first, last - first);
  }
  return window_.substr(start - window_start_, end - start);
}

}  // namespace poslab::results
