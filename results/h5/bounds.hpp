// SPDX-License-Identifier: Apache-2.0
// Checks what a dataset claims of itself against what is stored of it, before memory is allocated.
#pragma once

#include "h5/dataset.hpp"

namespace poslab::results::h5 {

/// Throws base::FileError, of the kind `damaged`: an object contradicts itself, or what else its file says.
[[noreturn]] void damaged(hid_t object, const std::string& problem);

/// The functions below throw what `damaged` throws.

/// The number of values of a dataset: not more than could be unpacked from what is stored.
hsize_t stored_count(hid_t dataset);

/// The same, for reading it whole, as columns and coordinates are: at most 256 MiB, at `bytes_each` in memory. Deflate
/// unpacks to a thousand times what is stored.
hsize_t whole_count(hid_t dataset, std::size_t bytes_each = sizeof(double));

/// The number of values of a block, for reading it: one that the dataset has, of at most 1 GiB, without a chunk that
/// could be unpacked to far more than a chunk holds.
hsize_t block_count(hid_t dataset, const Shape& start, const Shape& extent);

struct TextBudget {
  std::size_t used = 0;
  bool exceeded = false;
};
/// A dataset transfer list whose texts are at most 1 GiB together: many elements may share one stored text. `budget`
/// must outlive it. The texts are released with H5Dvlen_reclaim and the same list.
Handle bounded_texts(TextBudget& budget);

}  // namespace poslab::results::h5
