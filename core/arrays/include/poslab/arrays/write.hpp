// SPDX-License-Identifier: Apache-2.0
// Arrays as bytes of the formats that other projects read: row-major, float64, or float32 where they are so.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/kept_array.hpp"

namespace poslab::arrays {

struct WrittenArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::span<const double> values;
};

/// Version 1.0 of the format, as numpy.save writes it; the name is not in it.
std::string npy_bytes(const WrittenArray& array);
/// `texts` become the file's own metadata. Precondition: names differ.
std::string safetensors_bytes(const std::vector<WrittenArray>& all,
                              const std::vector<std::pair<std::string, std::string>>& texts);
std::string safetensors_bytes(const std::vector<data::KeptArray>& all,
                              const std::vector<std::pair<std::string, std::string>>& texts);

}  // namespace poslab::arrays
