// SPDX-License-Identifier: Apache-2.0
// Named arrays of any shape: what a cell keeps beside its measures, what a user hands to one, and where they come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/value.hpp"

namespace poslab::data {

/// `scheme/<weight>`, `scheme/<weight>/<layer>`, `network/...`: words of letters, digits, `_` and `-` that begin with a
/// letter or are whole numbers, with a slash between them.
struct KeptArray {
  std::string name;
  std::vector<std::int64_t> shape;                               ///< every extent at least 1; empty: a single number
  std::variant<std::vector<double>, std::vector<float>> values;  ///< row-major

  std::size_t size() const;
  double value(std::size_t i) const;
  std::string shape_text() const;  ///< "512 x 128", "a single number"
};

/// Nothing if the array can be kept: a good name, good extents, as many values as they say. Otherwise why not.
std::optional<base::Refusal> why_not_kept(const KeptArray& array);
const KeptArray* find_array(const std::vector<KeptArray>& arrays, const std::string& name);

/// What kept arrays come from.
struct Training {
  std::string title;  ///< what was trained on, in a few words: "copy, 4 layers"
  std::int64_t steps = 0;
  std::string text() const;  ///< "trained on copy, 4 layers, 2000 steps"
  bool operator==(const Training&) const = default;
};

/// Weights of a scheme that are used in place of drawn ones.
struct GivenWeights {
  std::string note;               ///< what the outcomes say of them: "trained on copy, 2000 steps"
  std::vector<KeptArray> arrays;  ///< `<weight>`, or `<weight>/<layer>`
};

/// A trained network that a cell is given, whole.
struct GivenNetwork {
  Training training;              ///< that it comes from
  Values axes;                    ///< of the cell that trained it
  std::vector<KeptArray> arrays;  ///< by the names under which it was kept
};

/// The weights of its scheme alone, as `--weights` gives them.
GivenWeights scheme_weights_of(const GivenNetwork& network);

struct WeightsFile {
  std::string path, hash;
  std::string text() const;  ///< "gpt2.safetensors (file 0123abcd)": the name, and what notes on weights call it
};

/// What part of a hash stands in a note on weights.
std::string short_hash(const std::string& hash);

/// Reads the JSON in `provenance/supply`, which anybody may have written: what we do not write is passed over.
std::vector<WeightsFile> weights_files_of(std::string_view supply);

}  // namespace poslab::data
