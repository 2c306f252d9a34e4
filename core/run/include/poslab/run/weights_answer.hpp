// SPDX-License-Identifier: Apache-2.0
// What a child that has read trained weights answers, and what its parent understands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poslab/results/trained_weights.hpp"

namespace poslab::run {

std::string weights_answer(const std::vector<results::TrainedCell>& cells);
/// Throws data::NotPacked for what is no such answer.
std::vector<results::TrainedCell> cells_of(std::string_view weights_answer);

/// What `path` keeps, read in a process of its own, since HDF5 crashes on some damaged files. Throws OutputUnreadable.
std::vector<results::TrainedCell> read_weights(const std::string& path);
/// The dataset of any HDF5 file, in the same way.
data::KeptArray read_weights(const std::string& path, const std::string& dataset);

}  // namespace poslab::run
