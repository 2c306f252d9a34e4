// SPDX-License-Identifier: Apache-2.0
// What another program wrote of its positional encoding: named arrays, from .npy, .npz, .safetensors or HDF5.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/error.hpp"

namespace poslab::identify {

using base::Index;

/// A file that holds no dump: what is wrong, and what to do.
struct BadDump : base::Error {
  explicit BadDump(const std::string& problem) : Error(Kind::request, problem) {}
};

struct DumpArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> numbers;  ///< row-major; each exactly as it was stored
  std::size_t rank() const { return shape.size(); }
};
/// Without the extents of 1: a shape may have them anywhere.
std::vector<Index> without_ones(std::vector<Index> shape);

struct Dump {
  std::vector<DumpArray> arrays;
  bool is_in_order = false;  ///< that in which its author wrote them
  const DumpArray* find(const std::string& name) const;
};

/// Numbers of all arrays together: more than any dump that shows what there is to see.
inline constexpr std::size_t max_dump_numbers = std::size_t{1} << 27;

/// An array of a .npy file is called by its file. Throws BadDump or base::FileError. HDF5 itself crashes on some
/// damaged files: to be called in a child process.
Dump read_dump(const std::string& path);

/// Throws BadDump for what has no numbers, too many, or one that is NaN.
void require_usable(const Dump& dump);

}  // namespace poslab::identify
