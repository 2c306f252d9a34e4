// SPDX-License-Identifier: Apache-2.0
// Reads attributes and datasets as the bytes that are stored, for comparing bit for bit.
#pragma once

#include <string>
#include <vector>

#include "h5/dataset.hpp"

namespace poslab::results {

/// In order of creation, without those by which HDF5 links dimension scales: they hold addresses, and what they mean is
/// compared as dimension names.
std::vector<std::string> attribute_names(hid_t object);
/// The same in the order in which they are stored: the only order that is safe on a file that may be damaged.
std::vector<std::string> attribute_names_as_stored(hid_t object);
/// The bytes of an attribute's value; of texts the characters, since their bytes are addresses.
std::string raw_value(const h5::Handle& attribute, const h5::Handle& type, const h5::Handle& space);
/// Reads a block of a dataset into `bytes`, which has its size. A scalar has no start and extent.
void read_raw(const h5::Handle& dataset, const h5::Handle& type, const h5::Shape& start, const h5::Shape& extent,
              std::vector<unsigned char>& bytes);

}  // namespace poslab::results
