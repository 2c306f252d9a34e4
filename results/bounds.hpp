// SPDX-License-Identifier: Apache-2.0
// What a dataset claims of itself, held against what is stored of it, before memory is asked for.
#pragma once

#include "data.hpp"

namespace poslab::results::h5 {

/// Throws base::FileError: "<object> <problem>" of the file that the object is in.
[[noreturn]] void damaged(hid_t object, const std::string& problem);

/// The number of values of a dataset, damaged if it is more than could be unpacked from what is stored.
hsize_t stored_count(hid_t dataset);

/// The same, for reading it whole, as columns and coordinates are: also damaged if that would take more than 256 MiB,
/// at `bytes_each` in memory. Deflate makes a thousand columns of numbers out of what one takes in the file.
hsize_t whole_count(hid_t dataset, std::size_t bytes_each = sizeof(double));

/// The number of values of a block, for reading it. Damaged if the dataset has no such block, or one of
/// more than 1 GiB, or if a chunk of it could be unpacked to far more than a chunk has.
hsize_t block_count(hid_t dataset, const Shape& start, const Shape& extent);

struct TextBudget {
  std::size_t used = 0;
  bool exceeded = false;
};
/// A dataset transfer list whose texts are at most 1 GiB together: many elements may share one stored text. `budget` must
/// outlive it. The texts are released with H5Dvlen_reclaim and the same list.
Handle bounded_texts(TextBudget& budget);

}  // namespace poslab::results::h5
