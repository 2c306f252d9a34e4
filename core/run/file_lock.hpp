// SPDX-License-Identifier: Apache-2.0
// A file that one process at a time holds, and that says who holds it.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::run {

class FileLock {
 public:
  /// Takes the lock, or leaves `holder` to say who has it. Close-on-exec: no child keeps it. Throws base::FileError, also
  /// where the file system knows no locks.
  explicit FileLock(const std::filesystem::path& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();  ///< and removes the file

  bool held() const { return held_; }
  const std::string& holder() const { return holder_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool held_ = false;
  std::string holder_;
};

/// Who holds the lock at `path`, or nothing; asked without ever taking it.
std::string holder_of_lock(const std::filesystem::path& path);

}  // namespace poslab::run
