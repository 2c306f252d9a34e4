// SPDX-License-Identifier: Apache-2.0
// Arrays as bytes of the formats that other projects' tests read: all of them float64, row-major.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace poslab::arrays
