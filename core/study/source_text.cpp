// SPDX-License-Identifier: Apache-2.0
// Reading a study's bytes.
#include "source_text.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "poslab/base/regular_file.hpp"

namespace poslab::study {
namespace {

constexpr const char* what_to_give = "give the path of a study, a TOML file";

// A descriptor that this process was given, as by `poslab run /dev/stdin` or `poslab run <(make-study)`: it is open
// already. -1: another path.
int given_descriptor(const std::string& path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    if (!path.starts_with(folder)) continue;
    const auto [end, problem] = std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
    if (problem == std::errc() && end == path.data() + path.size()) return number;
  }
  return -1;
}

std::size_t read_given(int descriptor, const std::string& path, char* buffer, std::size_t size) {
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw base::FileError(path, std::strerror(errno), what_to_give);
  }
}

}  // namespace

std::string read_source(const std::string& path) {
  if (path.empty()) throw base::FileError("(no name)", "the path of the study is empty", "give the path of a study");
  const int given = given_descriptor(path);
  std::optional<base::RegularFile> file;
  if (given < 0) file.emplace(path, what_to_give);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count =
             file ? file->read(buffer, sizeof buffer) : read_given(given, path, buffer, sizeof buffer)) {
    text.append(buffer, count);
    if (text.size() > largest_study)
      throw base::FileError(path, "is larger than 4 MiB", "a study is a short TOML file; is this the right one?");
  }
  return text;
}

}  // namespace poslab::study
