// SPDX-License-Identifier: Apache-2.0
// Reading a study's bytes.
#include "source_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "poslab/base/error.hpp"

namespace poslab::study {
namespace {

class File {
 public:
  explicit File(const std::string& path) : path_(path), handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (handle_ < 0) fail("give the path of a study, a TOML file");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (handle_ >= 0) ::close(handle_);
  }

  bool is_directory() const {
    struct stat about {};
    return ::fstat(handle_, &about) == 0 && S_ISDIR(about.st_mode);
  }

  /// The number of bytes read; 0 at the end.
  std::size_t read(char* buffer, std::size_t size) {
    for (;;) {
      const ssize_t count = ::read(handle_, buffer, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) fail("");
    }
  }

 private:
  [[noreturn]] void fail(const char* what_to_do) const {
    throw base::FileError(path_, std::strerror(errno), what_to_do);
  }

  std::string path_;
  int handle_;
};

}  // namespace

std::string read_source(const std::string& path) {
  if (path.empty()) throw base::FileError("(no name)", "the path of the study is empty", "give the path of a study");
  File file(path);
  if (file.is_directory()) throw base::FileError(path, "is a directory", "give the path of a study, a TOML file");
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = file.read(buffer, sizeof buffer)) {
    text.append(buffer, count);
    if (text.size() > largest_study)
      throw base::FileError(path, "is larger than 4 MiB", "a study is a short TOML file; is this the right one?");
  }
  return text;
}

}  // namespace poslab::study
