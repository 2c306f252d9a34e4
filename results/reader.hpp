// SPDX-License-Identifier: Apache-2.0
// Opens a results file and reads what its parts have in common.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data.hpp"

namespace poslab::results {

/// Opens `path` and makes sure that it is a results file of poslab that this version reads, and holds nothing else (vetting.hpp);
/// throws base::FileError.
h5::Handle open_results(const std::string& path);

/// What HDF5 could not read of one of two files: it does not say of which.
base::FileError cannot_be_compared(const std::string& first, const std::string& second, const h5::Error& error);

/// A column of texts or of numbers.
std::vector<std::string> texts(const h5::Handle& group, const std::string& name);
std::vector<double> numbers(const h5::Handle& group, const std::string& name);

/// One experiment's measure as the file describes it.
struct StoredMeasure {
  std::string name;
  std::vector<std::string> dimensions;  ///< without `cell`
};
std::vector<StoredMeasure> measures(const h5::Handle& group);

/// Where the objects of a group lie in the file, which is how a dataset refers to the scales on its axes.
using ScaleNames = std::map<haddr_t, std::string>;
ScaleNames scale_names(const h5::Handle& group);
/// The names of a dataset's dimensions: those of the scales on its axes, which lie in its group. Empty where there is none.
std::vector<std::string> dimension_names(hid_t dataset, const ScaleNames& scales);
std::vector<std::string> dimension_names(hid_t dataset);

}  // namespace poslab::results
