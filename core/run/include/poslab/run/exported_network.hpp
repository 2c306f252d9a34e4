// SPDX-License-Identifier: Apache-2.0
// A kept network as a .safetensors file with the names that a PyTorch module gives its arrays, and read back.
#pragma once

#include <string>

#include "poslab/results/trained_weights.hpp"

namespace poslab::run {

/// All that the cell kept, and what it is, as the bytes of such a file: `layers.0.query.weight`,
/// `token_embedding.weight`, `scheme.table`, `scheme.keys.1`, `example.logits`.
std::string exported(const results::TrainedCell& cell);
/// Reads them back, with names as a results file has them. Throws base::FileError.
results::TrainedCell read_exported(const std::string& path);

}  // namespace poslab::run
