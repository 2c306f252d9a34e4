// SPDX-License-Identifier: Apache-2.0
// What --weights and --network say, taken apart.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::run {

base::Error bad_weights_source(const std::string& text, const std::string& problem);

struct WeightsSource {
  std::string scheme, weight;  ///< that the array is for, the weight perhaps with its layer; both empty: see the file
  std::string file;
  std::string array;            ///< in the file; empty where it holds one only
  std::string experiment;       ///< of a whole run, the one that trained; empty where only one did
  bool has_batch_axis = false;  ///< the array has an extent of 1 before those of the weight
  bool is_whole_run() const { return scheme.empty(); }
  std::string text() const;  ///< as it stands on the command line
};

/// `FILE[:EXPERIMENT]` (or a folder), or `SCHEME.WEIGHT=FILE[:ARRAY]`, where WEIGHT may be `table` or `table/3`. Of
/// several colons the first behind a file that is there ends the file's name. Throws `bad_weights_source`.
WeightsSource weights_source(const std::string& text);

/// `FILE[:EXPERIMENT]` of --network. Throws base::Error.
WeightsSource network_source(const std::string& text);

/// What one --weights comes to: itself, or, where it names the folder of a model, an array for each weight that is
/// known by name. Throws what `weights_source` and importing::checkpoint_arrays throw.
std::vector<WeightsSource> weights_sources(const std::string& text);

}  // namespace poslab::run
