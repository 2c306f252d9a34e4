// SPDX-License-Identifier: Apache-2.0
// Opens a results file and reads what its parts have in common.
#pragma once

#include <string>
#include <vector>

#include "data.hpp"

namespace poslab::results {

/// Opens `path` and makes sure that it is a results file of poslab that this version reads; throws base::FileError.
h5::Handle open_results(const std::string& path);

/// A column of texts or of numbers.
std::vector<std::string> texts(const h5::Handle& group, const std::string& name);
std::vector<double> numbers(const h5::Handle& group, const std::string& name);

/// One experiment's measure as the file describes it.
struct StoredMeasure {
  std::string name;
  std::vector<std::string> dimensions;  ///< without `cell`
};
std::vector<StoredMeasure> measures(const h5::Handle& group);

/// The names of a dataset's dimensions: those of the scales on its axes.
std::vector<std::string> dimension_names(hid_t dataset);

}  // namespace poslab::results
