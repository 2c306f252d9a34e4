// SPDX-License-Identifier: Apache-2.0
// Which arrays of a model's checkpoint are the weights of its schemes.
#pragma once

#include <string>
#include <vector>

namespace poslab::importing {

/// An array of a .safetensors file, for a weight of a scheme.
struct CheckpointArray {
  std::string scheme, weight;  ///< "learned", "table"; with its layer where each has its own: "table/3"
  std::string file, array;
  bool has_batch_axis = false;  ///< [1, rows, columns], as images' tables are kept
};

/// Those of the folder of a model: config.json, and model.safetensors or model.safetensors.index.json with its shards.
/// Only headers are read. Throws what `read_model` throws; request where no scheme of the model has weights that are
/// known by name, or two arrays may be meant; base::FileError where the checkpoint is missing, damaged, or of another
/// kind.
std::vector<CheckpointArray> checkpoint_arrays(const std::string& folder);

}  // namespace poslab::importing
