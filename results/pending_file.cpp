// SPDX-License-Identifier: Apache-2.0
#include "pending_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "poslab/base/error.hpp"

namespace poslab::results {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const char* doing, const char* what_to_do) {
  throw base::FileError(path, std::string(doing) + ": " + std::strerror(errno), what_to_do);
}

// The file itself where `path` is a link to one: the link stays.
std::string target_of(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (fs::is_directory(status)) throw base::FileError(path, "is a directory", "name a file in it");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw base::FileError(path, "is no regular file", "name another one");
  const fs::path target =
      fs::is_symlink(fs::symlink_status(path, none)) ? fs::weakly_canonical(path, none) : fs::path(path);
  return target.empty() ? path : target.string();
}

// A name that nobody has: two writers of one path must not meet in one temporary file.
std::string reserve_beside(const std::string& path) {
  for (int number = 0;; ++number) {
    const std::string name = path + ".tmp" + (number ? std::to_string(number) : "");
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return name;
    }
    if (errno != EEXIST || number > 1000)
      refuse(path, "cannot be written", "choose a directory that exists and is writable");
  }
}

void force_to_disk(const std::string& name, int flags, const std::string& path) {
  const int file = open(name.c_str(), flags | O_CLOEXEC);
  const bool forced = file >= 0 && (fsync(file) == 0 || errno == EINVAL);  // EINVAL: a file system that knows no fsync
  const int reason = errno;
  if (file >= 0) close(file);
  errno = reason;
  if (!forced) refuse(path, "cannot be forced to disk", "free some room there, or choose another directory");
}

}  // namespace

PendingFile::PendingFile(const std::string& path) : path_(target_of(path)), temporary_(reserve_beside(path_)) {}

PendingFile::~PendingFile() {
  if (committed_) return;
  // Truncated before it is removed: HDF5 may hold a file open that it could not close.
  if (truncate(temporary_.c_str(), 0) != 0) errno = 0;
  unlink(temporary_.c_str());
}

void PendingFile::commit() {
  force_to_disk(temporary_, O_RDONLY, path_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_, "cannot be given its name", "");
  committed_ = true;
  const fs::path directory = fs::path(path_).parent_path();
  force_to_disk(directory.empty() ? "." : directory.string(), O_RDONLY | O_DIRECTORY, path_);
}

}  // namespace poslab::results
