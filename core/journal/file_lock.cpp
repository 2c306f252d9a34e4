// SPDX-License-Identifier: Apache-2.0
// Locks of open file descriptions (F_OFD_SETLK): like flock they end with their last descriptor, however a process
// ends, and unlike flock others can ask whether there is one without taking it.
#include "file_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "poslab/base/error.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::journal {
namespace {

std::string this_process() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC", getpid(), base::host_name(), fmt::gmtime(now));
}

[[noreturn]] void fail(const std::filesystem::path& path, int problem) {
  if (problem == ELOOP) {
    const std::string kind = std::filesystem::is_symlink(path) ? "a link" : base::special_file_kind(path);
    throw base::not_regular(path.string(), kind,
                            "a run keeps its name here while it goes on: remove it, or choose another output with -o");
  }
  const std::string reason = std::generic_category().message(problem);
  if (problem == ENOLCK || problem == EOPNOTSUPP || problem == ENOSYS || problem == EINVAL)
    throw base::FileError(path.string(),
                          "this file system offers no locks (" + reason + "), so that two runs could write one journal",
                          "write to another disk with -o, or have this one mounted with locks");
  if (base::is_disk_error(problem))
    throw base::FileError(path.string(), reason, "make room, or see to the disk; then run the same command again",
                          base::Error::Kind::disk);
  throw base::FileError(path.string(), reason,
                        "is there room, and are file and directory yours to write? Then run again");
}

std::string text_of(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size() - 1, 0);
  return size > 0 ? base::printable({text.data(), static_cast<std::size_t>(size)}) : "another process";
}

// Refuses links, which would be written through.
int open_ordinary(const std::filesystem::path& path, int flags) { return base::open_regular(path, flags | O_NOFOLLOW); }

bool is_same(const struct stat& a, const struct stat& b) { return a.st_ino == b.st_ino && a.st_dev == b.st_dev; }

struct flock whole_file() {
  struct flock wanted {};
  wanted.l_type = F_WRLCK;
  wanted.l_whence = SEEK_SET;
  return wanted;
}

}  // namespace

// The holder removes the file when it is done, so the lock may be on a file that is no longer there: then try again.
FileLock::FileLock(const std::filesystem::path& path) : path_(path) {
  for (;;) {
    descriptor_ = open_ordinary(path, O_RDWR | O_CREAT | O_EXCL);
    const bool is_ours = descriptor_ >= 0;
    if (!is_ours && errno == EEXIST) descriptor_ = open_ordinary(path, O_RDWR | O_CREAT);
    if (descriptor_ < 0) fail(path, errno);
    struct flock wanted = whole_file();
    if (fcntl(descriptor_, F_OFD_SETLK, &wanted) != 0) {
      const int problem = errno;
      if (problem == EAGAIN || problem == EACCES) {
        holder_ = text_of(descriptor_);
        return;
      }
      close(descriptor_);
      if (is_ours) unlink(path.c_str());  // another may be held, where locks fail for a moment only
      fail(path, problem);
    }
    struct stat ours {
    }, there{};
    if (fstat(descriptor_, &ours) == 0 && lstat(path.c_str(), &there) == 0 && is_same(ours, there)) break;
    close(descriptor_);
  }
  held_ = true;
  holder_ = this_process();
  write_holder();
}

// For those who ask who holds it. A full disk must not stop a run that needs no space, so failure is ignored.
void FileLock::write_holder() const {
  if (ftruncate(descriptor_, 0) != 0) return;
  static_cast<void>(pwrite(descriptor_, holder_.data(), holder_.size(), 0) < 0);
}

FileLock::~FileLock() {
  // Somebody may have removed our file, and another run may have created its own.
  struct stat ours {
  }, there{};
  if (held_ && fstat(descriptor_, &ours) == 0 && lstat(path_.c_str(), &there) == 0 && is_same(ours, there))
    unlink(path_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

std::string holder_of_lock(const std::filesystem::path& path) {
  const int descriptor = open_ordinary(path, O_RDONLY);
  if (descriptor < 0) return "";
  struct flock asked = whole_file();
  const bool is_held = fcntl(descriptor, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
  const std::string holder = is_held ? text_of(descriptor) : "";
  close(descriptor);
  return holder;
}

}  // namespace poslab::journal
