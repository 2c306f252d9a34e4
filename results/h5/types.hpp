// SPDX-License-Identifier: Apache-2.0
// What HDF5 calls the types and extents that a results file has.
#pragma once

#include <cstdint>

#include "h5/dataset.hpp"

namespace poslab::results::h5 {

Handle text_type();
/// As stored: little-endian on every machine.
Handle on_disk(Type type);
Handle simple_space(const Shape& shape);
Handle space_of(hid_t dataset);
/// The same, with the block of `extent` at `start` selected.
Handle block_of(hid_t dataset, const Shape& start, const Shape& extent);

inline hid_t in_memory(const double&) { return H5T_NATIVE_DOUBLE; }
inline hid_t in_memory(const float&) { return H5T_NATIVE_FLOAT; }
inline hid_t in_memory(const std::int64_t&) { return H5T_NATIVE_INT64; }
inline hid_t in_memory(const std::uint64_t&) { return H5T_NATIVE_UINT64; }
inline hid_t in_memory(const std::uint8_t&) { return H5T_NATIVE_UINT8; }

}  // namespace poslab::results::h5
