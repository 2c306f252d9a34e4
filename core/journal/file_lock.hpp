// SPDX-License-Identifier: Apache-2.0
// A file that one process at a time can hold, and that says which process holds it.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::journal {

class FileLock {
 public:
  /// Takes the lock if it is free. Close-on-exec: no child keeps it. Throws base::FileError, also where the file system
  /// has no locks.
  explicit FileLock(const std::filesystem::path& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();  ///< and removes the file

  bool held() const { return held_; }
  const std::string& holder() const { return holder_; }  ///< this process or another one: "process 4711 on node7 ..."

 private:
  void write_holder() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool held_ = false;
  std::string holder_;
};

/// Who holds the lock at `path`, empty if nobody does; does not take it.
std::string holder_of_lock(const std::filesystem::path& path);

}  // namespace poslab::journal
