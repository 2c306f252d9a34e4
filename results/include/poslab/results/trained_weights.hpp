// SPDX-License-Identifier: Apache-2.0
// What cells kept of the networks that they trained, read back; and a single array of anybody's HDF5 file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poslab/data/kept_array.hpp"

namespace poslab::results {

/// What one cell kept.
struct TrainedCell {
  std::string experiment, scheme, variant;
  std::string parameters;  ///< of the variant, all of them, as JSON
  std::string axes;        ///< as JSON
  std::int64_t d_model = 0, heads = 0, repeat = 0;
  data::Training training;
  std::vector<data::KeptArray> arrays;
  bool has_network = false;  ///< whether it kept more than its scheme's arrays
  std::int64_t cell = 0;     ///< its number in the file
};

/// Which arrays of a cell are read: those of its scheme as doubles, without the `scheme/` of their names, or all of
/// them as they were kept.
enum class Kept { of_scheme, all };

/// Those of a results file, in its order; none if nothing was kept. Throws base::FileError. HDF5 itself crashes on some
/// damaged files: to be called in a child process, as the other, too.
std::vector<TrainedCell> read_trained(const std::string& path, Kept kept = Kept::of_scheme);

/// The dataset `name` ("layers/0/table") of any HDF5 file, named "array": reals of 2, 4 or 8 bytes. Throws
/// base::FileError, for a name that is not there with those that are.
data::KeptArray read_dataset(const std::string& path, const std::string& name);
/// The names under which read_dataset finds datasets of reals, in order of the file; at most 10,000. Throws
/// base::FileError.
std::vector<std::string> dataset_names(const std::string& path);

}  // namespace poslab::results
