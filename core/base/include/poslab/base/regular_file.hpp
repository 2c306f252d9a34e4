// SPDX-License-Identifier: Apache-2.0
// Files that are opened because somebody has named them, or left them in a folder. Only regular files are: opening a
// FIFO waits for ever for whoever writes to it, opening a device does whatever the device does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "poslab/base/error.hpp"

namespace poslab::base {

/// "is a FIFO, not a regular file"
FileError not_regular(const std::string& path, const std::string& what_it_is, const std::string& what_to_do);

/// What `path` is, with links followed, if it is there and no regular file: "a FIFO"; else empty. Nothing is opened.
std::string special_file_kind(const std::filesystem::path& path);

/// Whether something is there, with links followed. Throws FileError where that cannot be seen: in a folder that is not
/// ours to read.
bool is_there(const std::filesystem::path& path);

/// Throws `not_regular`. For libraries that open a file by its name: called right before.
void require_regular_file(const std::string& path, const std::string& what_to_do = "");

/// As open(2), with O_CLOEXEC and never waiting. A descriptor, or -1 and errno: ELOOP for what is no regular file,
/// among them links with O_NOFOLLOW.
int open_regular(const std::filesystem::path& path, int flags, unsigned permissions = 0666);

/// Writes all of it, however many pieces the system takes it in. 0, or why it could not: ENOSPC, too, where nothing is
/// taken and nothing says why.
int write_all(int descriptor, std::string_view bytes);

/// A regular file that is read.
class RegularFile {
 public:
  /// Throws `not_regular`; FileError with the reason of the operating system.
  explicit RegularFile(const std::string& path, const std::string& what_to_do = "");
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile();

  std::uint64_t size() const { return size_; }  ///< when it was opened
  /// The number of bytes read; 0 at the end. Throws FileError.
  std::size_t read(char* bytes, std::size_t count);
  /// The bytes from `offset`, fewer than `count` at the end. Throws FileError.
  std::string bytes_at(std::uint64_t offset, std::size_t count) const;

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace poslab::base
