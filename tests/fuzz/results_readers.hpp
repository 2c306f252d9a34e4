// SPDX-License-Identifier: Apache-2.0
// Everything in poslab that opens a results file which it may not have written, and files for it.
#pragma once

#include <string>

namespace poslab::fuzz {

/// A temporary file that is written again for each input, since HDF5 needs a name. A crash leaves it behind, so TMPDIR
/// should be a folder in memory that is removed afterwards.
class ScratchFile {
 public:
  ScratchFile();
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  void write(const void* data, std::size_t size) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
};

/// The bytes of a small results file that poslab wrote, that of the only shard of its run.
const std::string& good_bytes();

/// Compares with the good file, one way, the other way or exactly, or merges, as `which` says. The readers refuse with
/// base::Error: any other exception is a finding.
void read_results(const std::string& path, unsigned which);

}  // namespace poslab::fuzz
