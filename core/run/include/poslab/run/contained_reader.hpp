// SPDX-License-Identifier: Apache-2.0
// Files on which HDF5 may crash or hang, read in a child process, and what the child answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/process/child.hpp"
#include "poslab/results/output_content.hpp"
#include "poslab/results/trained_weights.hpp"

namespace poslab::run {

/// What is there cannot be read: the process that tried says so, hung or crashed.
struct OutputUnreadable : base::Error {
  OutputUnreadable(const std::string& path, const process::Ended& reader, const std::string& hint);
  std::string path;
};

/// What `path` holds. Throws OutputUnreadable, with this hint.
results::OutputContent read_content(const std::string& path, const std::string& hint);
/// What `path` keeps. Throws OutputUnreadable.
std::vector<results::TrainedCell> read_weights(const std::string& path, results::Kept kept = results::Kept::of_scheme);
/// The dataset of any HDF5 file. Throws OutputUnreadable.
data::KeptArray read_weights(const std::string& path, const std::string& dataset);

/// The child's side.
std::string encode(const results::OutputContent& content);
std::string encode(const std::vector<results::TrainedCell>& cells);
/// Nothing if it is no such answer.
std::optional<results::OutputContent> decode_content(const std::string& answer);
/// Throws data::NotPacked for what is no such answer.
std::vector<results::TrainedCell> decode_weights(std::string_view answer);

}  // namespace poslab::run
