// SPDX-License-Identifier: Apache-2.0
// Writes the arrays of `poslab table`: at the root of a file, each with the coordinates of its dimensions.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace poslab::results {

struct NamedArray {
  std::string name, unit, sentence;
  std::vector<std::string> dimensions;
  std::vector<std::size_t> shape;
  std::vector<double> values;
  std::string coordinates = {};  ///< names of the arrays with its points' positions, separated by spaces
};
struct NamedCoordinate {
  std::string dimension, unit;
  std::vector<double> values;
};
/// Writes as writer.hpp does: a scale on every axis, under a temporary name, then renamed. Throws base::FileError.
void write_table(const std::string& path, const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& attributes,
                 const std::vector<NamedCoordinate>& coordinates, const std::vector<NamedArray>& arrays);

/// A file of another format, as it is, in the same way.
void write_bytes(const std::string& path, const std::string& bytes);

}  // namespace poslab::results
