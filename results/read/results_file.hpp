// SPDX-License-Identifier: Apache-2.0
// Opens a results file and reads what its parts have in common.
#pragma once

#include <string>
#include <vector>

#include "h5/dataset.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::results {

/// HDF5 refused to read the file.
base::FileError unreadable_results(std::string path, const h5::Error& error);

/// HDF5 refused to read one of two files, and does not tell which.
base::FileError unreadable_pair(std::string first, std::string second, const h5::Error& error);

/// Which files a reader takes. What the index and `trained` have in common in all schemas can be read of earlier ones.
enum class Schemas { today, earlier_too };

/// Opens `path` if it is a results file of poslab that this version reads, and holds nothing else (vetting.hpp).
/// Throws base::FileError, of an earlier file with the command that rewrites it.
h5::Handle open_results(const std::string& path, Schemas schemas = Schemas::today);

/// The two steps of `open_results`. Both throw base::FileError or h5::Error.
h5::Handle open_vetted(const std::string& path);
void require_run(const h5::Handle& file, const std::string& path, Schemas schemas);

/// A column of texts or of numbers.
std::vector<std::string> texts(const h5::Handle& group, const std::string& name);
std::vector<double> numbers(const h5::Handle& group, const std::string& name);

/// The measures of an experiment as the file describes them; their dimensions without `cell`.
std::vector<data::MeasureInfo> measures(const h5::Handle& group);

/// A text of `provenance`; empty where there is none.
std::string provenance_text(const h5::Handle& file, const char* name);

}  // namespace poslab::results
