// SPDX-License-Identifier: Apache-2.0
// Checks every object of a results file before anything in it is used: the file may come from a stranger, and HDF5 lets
// a file make its reader open other files, load libraries and allocate unbounded memory.
#pragma once

#include <string>

#include "h5/dataset.hpp"

namespace poslab::results {

/// What poslab writes stays far below these; schema.md documents them.
inline constexpr std::size_t max_objects = 100'000;  ///< a damaged index of links can be a cycle
inline constexpr int deepest_group = 4;
inline constexpr hsize_t max_elements = hsize_t{1} << 37;  ///< of a dataset, padding included
inline constexpr hsize_t largest_attribute = 1 << 20;      ///< bytes
/// Bytes that the datasets of any file may declare, padding included; beyond, so many times what the file has. Whoever
/// compares reads them all.
inline constexpr hsize_t unsuspicious = hsize_t{1} << 30, largest_share = 10'000;

/// An object that no results file holds: a link to another file or by name, an object with two names, data in other
/// files or behind an unknown filter, a type that poslab does not write, an impossible extent.
base::FileError forbidden_object(std::string path, std::string object, std::string problem);

/// Throws `forbidden_object` for the first. Opens no other file, follows no reference and reads no values: the heaps of
/// texts first, at which HDF5 may never end.
void vet(const h5::Handle& file, const std::string& path);
void vet_heaps(const std::string& path);
/// The bytes that it declares.
hsize_t vet_dataset(const h5::Handle& dataset, const std::string& name, const std::string& path);
/// The same of a file that poslab did not write: of any type.
void vet_foreign_dataset(const h5::Handle& dataset, const std::string& name, const std::string& path);

}  // namespace poslab::results
