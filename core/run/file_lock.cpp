// SPDX-License-Identifier: Apache-2.0
#include "file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "poslab/base/error.hpp"

namespace poslab::run {
namespace {

std::string ourselves() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("process {} on {}", getpid(), host.data());
}

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw base::FileError(path.string(), std::generic_category().message(errno));
}

}  // namespace

// The holder removes the file when it is done, so a lock may be won on a file that is no longer there: then once more.
FileLock::FileLock(const std::filesystem::path& path) : path_(path) {
  for (;;) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(path);
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      std::array<char, 512> text{};
      const ssize_t size = pread(descriptor_, text.data(), text.size() - 1, 0);
      holder_ = size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "another process";
      return;
    }
    struct stat ours {
    }, there{};
    if (fstat(descriptor_, &ours) == 0 && stat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino) break;
    close(descriptor_);
  }
  held_ = true;
  holder_ = ourselves();
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, holder_.data(), holder_.size(), 0) < 0)
    holder_ += "";  // the name is a courtesy: a full disk must not stop a run that needs no space
}

FileLock::~FileLock() {
  if (held_) unlink(path_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace poslab::run
