// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/regular_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace poslab::base {
namespace {

std::string kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return "";
    case S_IFDIR: return "a directory";
    case S_IFIFO: return "a FIFO";
    case S_IFCHR:
    case S_IFBLK: return "a device";
    case S_IFSOCK: return "a socket";
    case S_IFLNK: return "a link";
    default: return "of no kind that is known";
  }
}

}  // namespace

FileError not_regular(const std::string& path, const std::string& what_it_is, const std::string& what_to_do) {
  return {path, fmt::format("is {}, not a regular file", what_it_is), what_to_do};
}

std::string special_file_kind(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? kind_of(status.st_mode) : "";
}

bool is_there(const std::filesystem::path& path) {
  std::error_code problem;
  const bool found = std::filesystem::exists(path, problem);
  if (problem) throw FileError(path.string(), problem.message());
  return found;
}

void require_regular_file(const std::string& path, const std::string& what_to_do) {
  if (const std::string kind = special_file_kind(path); !kind.empty()) throw not_regular(path, kind, what_to_do);
}

// Looked at before, since opening alone may set a device going, and after, since somebody may have exchanged it
// between.
int open_regular(const std::filesystem::path& path, int flags, unsigned permissions) {
  struct stat status {};
  const bool is_there =
      fstatat(AT_FDCWD, path.c_str(), &status, (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0) == 0;
  if (is_there && !S_ISREG(status.st_mode)) {
    errno = ELOOP;
    return -1;
  }
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, permissions);
  if (descriptor < 0 || (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))) return descriptor;
  close(descriptor);
  errno = ELOOP;
  return -1;
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count == 0) return ENOSPC;  // asking again might never end
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

RegularFile::RegularFile(const std::string& path, const std::string& what_to_do)
    : path_(path), descriptor_(open_regular(path, O_RDONLY)) {
  const int problem = errno;
  if (descriptor_ < 0) require_regular_file(path, what_to_do);
  if (descriptor_ < 0) throw FileError(path, std::strerror(problem), what_to_do);
  struct stat status {};
  if (fstat(descriptor_, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
}

RegularFile::~RegularFile() { close(descriptor_); }

std::size_t RegularFile::read(char* bytes, std::size_t count) {
  for (;;) {
    const ssize_t arrived = ::read(descriptor_, bytes, count);
    if (arrived >= 0) return static_cast<std::size_t>(arrived);
    if (errno != EINTR) throw FileError(path_, std::strerror(errno));
  }
}

std::string RegularFile::bytes_at(std::uint64_t offset, std::size_t count) const {
  std::string bytes(count, '\0');
  std::size_t done = 0;
  while (done < count) {
    const ssize_t arrived = pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
    if (arrived < 0 && errno == EINTR) continue;
    if (arrived < 0) throw FileError(path_, std::strerror(errno));
    if (arrived == 0) break;
    done += static_cast<std::size_t>(arrived);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace poslab::base
