// SPDX-License-Identifier: Apache-2.0
// The files of trained weights that a run was given, as provenance keeps them: a result itself knows only hashes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poslab::data {

struct WeightsFile {
  std::string path, hash;
  std::string text() const;  ///< "gpt2.safetensors (file 0123abcd)": the name, and what notes on weights call it
};

/// What part of a hash stands in a note on weights.
std::string short_hash(const std::string& hash);

/// Reads the JSON in `provenance/supply`, which anybody may have written: what we do not write is passed over.
std::vector<WeightsFile> weights_files_of(std::string_view supply);

}  // namespace poslab::data
