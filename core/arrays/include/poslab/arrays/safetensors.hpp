// SPDX-License-Identifier: Apache-2.0
// Arrays of a .safetensors file: eight bytes for the size of a JSON header, the header, the arrays one after another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/arrays/source.hpp"
#include "poslab/data/kept_array.hpp"

namespace poslab::arrays {

inline constexpr std::size_t max_arrays = 100'000;  // of a file: many times those of any model

class Safetensors {
 public:
  /// Reads and checks the header of all arrays: sizes that fit their shapes, inside the file, none over another, and
  /// no more than max_arrays. Throws BadArray. `source` must outlive this.
  explicit Safetensors(const Source& source);

  std::vector<std::string> names() const;  ///< in order of their place in the file
  /// The file's own metadata.
  const std::map<std::string, std::string>& texts() const { return texts_; }
  /// Named "array". F64, F32, F16 and BF16, perhaps I64 and I32. Throws BadArray, for a name that is not there with
  /// those that are.
  data::KeptArray read(const std::string& name, Accept accept = Accept::reals) const;

 private:
  struct Entry {
    std::string name, type;
    std::vector<std::int64_t> shape;
    std::uint64_t begin, end;  // of its bytes in the file
  };
  const Source& source_;
  std::vector<Entry> entries_;
  std::map<std::string, std::string> texts_;
};

}  // namespace poslab::arrays
