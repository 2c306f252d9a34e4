// SPDX-License-Identifier: Apache-2.0
// Arrays of a .npz file, as numpy.savez and numpy.savez_compressed write it: a zip archive of .npy files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "poslab/arrays/source.hpp"
#include "poslab/data/kept_array.hpp"

namespace poslab::arrays {

class Npz {
 public:
  /// Reads the directory of the archive: names that differ, no more than max_npz_arrays. Throws BadArray, also for
  /// another kind of archive, saying how one of torch.save is converted. `source` must outlive this.
  explicit Npz(const Source& source);
  ~Npz();
  Npz(const Npz&) = delete;
  Npz& operator=(const Npz&) = delete;

  std::vector<std::string> names() const;  ///< without `.npy`, in order of their place in the archive
  /// Named "array". Throws BadArray, for a name that is not there with those that are.
  data::KeptArray read(const std::string& name, Accept accept = Accept::reals) const;

 private:
  struct Archive;
  std::unique_ptr<Archive> archive_;
};

inline constexpr std::size_t max_npz_arrays = 10'000;

/// What to do with a file that only Python's pickle reads: it may run any code, so it is converted where it is trusted.
inline constexpr const char* how_to_convert =
    "python -c \"import sys, torch; from safetensors.torch import save_file; save_file({k: v.contiguous() for k, v in "
    "torch.load(sys.argv[1], weights_only=True).items()}, sys.argv[2])\" FILE.pt FILE.safetensors";

}  // namespace poslab::arrays
