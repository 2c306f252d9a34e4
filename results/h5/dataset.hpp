// SPDX-License-Identifier: Apache-2.0
// Moves vectors between memory and HDF5's datasets: five types of number, and text, nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "h5/objects.hpp"

namespace poslab::results::h5 {

using Shape = std::vector<hsize_t>;
hsize_t size_of(const Shape& shape);

/// Text is always UTF-8 of variable length: Debian 12's netCDF crashes on text of fixed length.
using Values = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint64_t>,
                            std::vector<std::uint8_t>, std::vector<std::string>, std::vector<float>>;
std::size_t count(const Values& values);

enum class Type { real, integer, unsigned_integer, flag, text, single_real };
/// A dataset of that type on disk (little-endian). Below 64 kB it is contiguous; above, it is stored in chunks with
/// shuffle and deflate, and chunks that are never written take no room. Reals that are never written read as NaN.
Handle create_dataset(hid_t parent, const std::string& name, Type type, const Shape& shape);

void write(hid_t dataset, const Values& values);
/// Writes the block of `extent` at `start`, row-major: reals, flags or unsigned integers.
template <class Number>
void write_block(hid_t dataset, const Shape& start, const Shape& extent, const std::vector<Number>& values);

/// Bytes: four times what is written.
inline constexpr hsize_t largest_chunk = 1 << 18;

/// Reading allocates memory only after bounds.hpp has checked what the dataset claims.
Shape shape_of(hid_t dataset);
std::vector<double> read_numbers(hid_t dataset);  ///< of any numeric type
std::vector<double> read_block(hid_t dataset, const Shape& start, const Shape& extent);
std::vector<std::string> read_texts(hid_t dataset);
std::string read_words(hid_t dataset, hsize_t start, hsize_t count);  ///< the bytes of 64-bit words, of one axis
std::vector<std::uint64_t> read_unsigned(hid_t dataset);
/// The length of a dataset with one axis. Throws base::Error if it has another shape, or claims far more values than
/// are stored of it: an untrusted file must not make a program allocate out of proportion to the file's size.
hsize_t believable_length(hid_t dataset);

}  // namespace poslab::results::h5
