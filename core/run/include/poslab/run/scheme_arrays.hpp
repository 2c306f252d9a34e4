// SPDX-License-Identifier: Apache-2.0
// The arrays that a scheme produces for given positions, as `poslab table` writes and draws them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/results/table.hpp"

namespace poslab::run {

struct SchemeArrays {
  std::string title;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<results::NamedCoordinate> coordinates;
  std::vector<results::NamedArray> arrays;
};

/// `encoding_table` (position, channel); `rotated_ones` (head, position, head_channel): an all-ones key, transformed;
/// `rotated_ones_query`: a query, where that is another; `rotated_ones_value` and `rotated_ones_output`: an all-ones
/// value and output of attention; `position_bias` (head, query, key); `score_of_ones` (head, query, key): what `score`
/// makes of all-ones q, k and x, over the scale; every weight. Only those that the variant has. On a grid positions are
/// counted from 0, and `position_row`, `position_column` (`key_position_row` ...) say where they lie. `positions` is
/// [N, A], with A names of axes on a grid and none elsewhere; `seed` is for untrained weights.
SchemeArrays arrays_of(const host::Scheme& scheme, const base::Array<double>& positions,
                       const std::vector<std::string>& axis_names, std::uint64_t seed);

/// By the ending of the name; HDF5 for any other.
enum class TableFormat { hdf5, npy, safetensors };
TableFormat table_format(const std::string& path);

/// A table may be replaced by a table. Throws base::FileError if `path` holds anything else; for .npy and .safetensors,
/// which do not say who wrote them, if it is there.
void require_table_writable(const std::string& path);
/// HDF5 and .safetensors: all arrays with their coordinates; .npy: the first array. Throws base::FileError.
void write_table(const std::string& path, const SchemeArrays& arrays);

}  // namespace poslab::run
