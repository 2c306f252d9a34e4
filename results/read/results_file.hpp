// SPDX-License-Identifier: Apache-2.0
// Opens a results file and reads what its parts have in common.
#pragma once

#include <string>
#include <vector>

#include "h5/dataset.hpp"

namespace poslab::results {

struct NoResultsFile : base::FileError {
  explicit NoResultsFile(std::string path);
};

/// A file called .toml that does not begin as HDF5 does.
struct StudyNotResults : base::FileError {
  explicit StudyNotResults(std::string path);
};

struct NewerSchema : base::FileError {
  NewerSchema(std::string path, double version);
  double version;
};

/// HDF5 refused to read the file.
struct UnreadableResults : base::FileError {
  UnreadableResults(std::string path, const h5::Error& error);
  std::string call;
  std::vector<std::string> stack;  ///< outermost first
};

/// HDF5 refused to read one of two files, and does not tell which.
struct UnreadablePair : base::FileError {
  UnreadablePair(std::string first, std::string second, const h5::Error& error);
  std::string first, second;
};

/// Opens `path` if it is a results file of poslab that this version reads, and holds nothing else (vetting.hpp).
/// Throws base::FileError.
h5::Handle open_results(const std::string& path);

/// The two steps of `open_results`. Both throw base::FileError or h5::Error.
h5::Handle open_vetted(const std::string& path);
void require_run(const h5::Handle& file, const std::string& path);

/// A column of texts or of numbers.
std::vector<std::string> texts(const h5::Handle& group, const std::string& name);
std::vector<double> numbers(const h5::Handle& group, const std::string& name);

/// One experiment's measure as the file describes it.
struct StoredMeasure {
  std::string name;
  std::vector<std::string> dimensions;  ///< without `cell`
};
std::vector<StoredMeasure> measures(const h5::Handle& group);

}  // namespace poslab::results
