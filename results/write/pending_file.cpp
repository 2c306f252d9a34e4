// SPDX-License-Identifier: Apache-2.0
#include "write/pending_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "h5/seal.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::results {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const char* doing, const char* what_to_do) {
  const int reason = errno;
  const std::string problem = std::string(doing) + ": " + std::strerror(reason);
  if (base::is_disk_error(reason))
    throw base::FileError(path, problem, "make room, or choose another place with -o; then run again",
                          base::Error::Kind::disk);
  throw base::FileError(path, problem, what_to_do);
}

// Where a chain of links ends, though nothing may be there yet. `weakly_canonical` stops at a link that leads nowhere.
fs::path end_of_links(fs::path path) {
  std::error_code none;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, none)); ++links) {
    const fs::path target = fs::read_symlink(path, none);
    if (none) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

// The file itself where `path` is a link to one: the link stays.
std::string target_of(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  base::require_regular_file(path, fs::is_directory(status) ? "name a file in it" : "name another one");
  return end_of_links(path).string();
}

// `a.h5.tmp-4711-host`, or `a.h5.tmp-4711.2-host` where one process writes twice: who writes it is in its name.
std::string temporary_name(const std::string& path, int number) {
  return path + ".tmp-" + std::to_string(getpid()) + (number > 1 ? "." + std::to_string(number) : "") + "-" +
         base::host_name();
}

// Whether the writer of a temporary file may live. Those on other machines cannot be asked.
enum class Writer { ourselves, lives, dead, elsewhere };
Writer writer_of(std::string_view after_tmp) {  // "4711.2-host"
  pid_t process = 0;
  const auto [rest, error] = std::from_chars(after_tmp.begin(), after_tmp.end(), process);
  const std::size_t dash = after_tmp.find('-');
  const bool is_ours =
      error == std::errc() && process > 0 && dash != std::string_view::npos && (*rest == '-' || *rest == '.');
  if (!is_ours) return Writer::lives;  // another program's file: its own affair
  if (after_tmp.substr(dash + 1) != base::host_name()) return Writer::elsewhere;
  if (process == getpid()) return Writer::ourselves;
  return kill(process, 0) != 0 && errno == ESRCH ? Writer::dead : Writer::lives;
}

// A name that nobody has: two writers of one path must not meet in one temporary file.
std::string reserve_beside(const std::string& path) {
  remove_abandoned(path, false);
  for (int number = 1;; ++number) {
    const std::string name = temporary_name(path, number);
    const int file = base::open_regular(name, O_WRONLY | O_CREAT | O_EXCL);
    if (file >= 0) {
      close(file);
      return name;
    }
    if ((errno != EEXIST && errno != ELOOP) || number > 1000)
      refuse(path, "cannot be written", "choose a directory that exists and is writable");
  }
}

void force_to_disk(const std::string& name, int flags, const std::string& path) {
  const bool is_directory = (flags & O_DIRECTORY) != 0;
  const int file = is_directory ? open(name.c_str(), flags | O_CLOEXEC) : base::open_regular(name, flags);
  const bool forced = file >= 0 && (fsync(file) == 0 || errno == EINVAL);  // EINVAL: a file system that knows no fsync
  const int reason = errno;
  if (file >= 0) close(file);
  errno = reason;
  if (!forced) refuse(path, "cannot be forced to disk", "free some room there, or choose another directory");
}

void append(const std::string& name, const std::string& bytes, const std::string& path) {
  const int file = base::open_regular(name, O_WRONLY | O_APPEND);
  const int problem = file < 0 ? errno : base::write_all(file, bytes);
  if (file >= 0) close(file);
  errno = problem;
  if (problem != 0) refuse(path, "the results cannot be written", "free some room there, or choose another directory");
}

}  // namespace

void remove_abandoned(const std::string& path, bool alone) {
  const fs::path target = target_of(path);
  const std::string begin = target.filename().string() + ".tmp-";
  std::error_code none;  // what cannot be looked at or removed is in nobody's way
  std::vector<fs::path> abandoned;
  for (fs::directory_iterator entry(target.has_parent_path() ? target.parent_path() : ".", none), end;
       !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin)) continue;
    const Writer writer = writer_of(std::string_view(name).substr(begin.size()));
    if (writer == Writer::dead || (alone && writer != Writer::lives)) abandoned.push_back(entry->path());
  }
  for (const fs::path& file : abandoned) fs::remove(file, none);
}

PendingFile::PendingFile(const std::string& path) : path_(target_of(path)), temporary_(reserve_beside(path_)) {}

PendingFile::~PendingFile() {
  if (committed_) return;
  // Truncated before it is removed: HDF5 may hold a file open that it could not close.
  if (truncate(temporary_.c_str(), 0) != 0) errno = 0;
  unlink(temporary_.c_str());
}

void PendingFile::write(const std::string& bytes) { append(temporary_, bytes, path_); }

void PendingFile::commit(Seal seal) {
  if (seal == Seal::sealed) append(temporary_, seal_of(temporary_), path_);
  force_to_disk(temporary_, O_RDONLY, path_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_, "cannot be given its name", "");
  committed_ = true;
  const fs::path directory = fs::path(path_).parent_path();
  force_to_disk(directory.empty() ? "." : directory.string(), O_RDONLY | O_DIRECTORY, path_);
}

}  // namespace poslab::results
