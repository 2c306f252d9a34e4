// SPDX-License-Identifier: Apache-2.0
// Reading a study's bytes.
#include "readers/source_text.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::study {
namespace fs = std::filesystem;
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

base::FileError unreadable(const std::string& path) { return {path, std::strerror(errno), what_to_give}; }

// From where the descriptor stands, which it still does afterwards: a study is read several times.
std::size_t read_given(int descriptor, const std::string& path, char* buffer, std::size_t size, std::size_t offset) {
  for (;;) {
    const off_t start = lseek(descriptor, 0, SEEK_CUR);
    const ssize_t count = start < 0 ? -1 : pread(descriptor, buffer, size, start + static_cast<off_t>(offset));
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw unreadable(path);
  }
}

// What a pipe brings can be read only once: a file in memory takes its place, with all that it brings, or more than a
// study may have.
void hold(int descriptor, const std::string& path) {
  if (lseek(descriptor, 0, SEEK_CUR) >= 0) return;
  const int held = memfd_create("study", MFD_CLOEXEC);
  if (held < 0) throw unreadable(path);
  char buffer[1 << 16];
  for (std::size_t size = 0; size <= max_study_bytes;) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno != EINTR) throw unreadable(path);
    if (count == 0) break;
    if (count > 0 && (errno = base::write_all(held, {buffer, static_cast<std::size_t>(count)})) != 0)
      throw unreadable(path);
    size += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  const bool is_held = lseek(held, 0, SEEK_SET) == 0 && dup2(held, descriptor) == descriptor;
  if (!is_held) throw unreadable(path);
  close(held);
}

// What poslab itself writes is known by how it begins; HDF5's mark may come later.
void require_no_results(const std::string& path, std::string_view begin) {
  using namespace std::string_view_literals;
  if (begin.starts_with("\x89HDF\r\n\x1a\n"sv))
    throw base::FileError(
        path, "holds results, and a study is wanted",
        "run the study (.toml) that it was made from; poslab compare, and the notebook, read results");
  if (begin.starts_with("SQLite format 3\0"sv))
    throw base::FileError(path, "is a journal, and a study is wanted", "poslab status says how far its run is");
  if (begin.starts_with("\x7f"
                        "ELF"sv))
    throw base::FileError(path, "is a plugin or a program, and a study is wanted",
                          "write a study that uses the scheme, or try poslab check and poslab table");
}

// The studies of a folder that was named in place of one.
std::string studies_in(const std::string& path) {
  std::vector<std::string> studies;
  std::error_code problem;
  for (fs::directory_iterator entry(path, problem), end; !problem && entry != end; entry.increment(problem))
    if (entry->path().extension() == ".toml") studies.push_back(base::printable(entry->path().string()));
  if (studies.empty()) return what_to_give;
  std::sort(studies.begin(), studies.end());
  constexpr std::size_t most = 5;
  const bool has_more = studies.size() > most;
  if (has_more) studies.resize(most);
  return fmt::format("name a study in it: {}{}", fmt::join(studies, ", "), has_more ? " ..." : "");
}

}  // namespace

bool is_given_open(const std::string& path) { return given_descriptor(path) >= 0; }

std::string read_source(const std::string& path) {
  if (path.empty()) throw base::FileError("(no name)", "the path of the study is empty", "give the path of a study");
  const int given = given_descriptor(path);
  if (given >= 0) hold(given, path);
  std::error_code none;
  std::optional<base::RegularFile> file;
  if (given < 0) file.emplace(path, fs::is_directory(path, none) ? studies_in(path) : what_to_give);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count =
             file ? file->read(buffer, sizeof buffer) : read_given(given, path, buffer, sizeof buffer, text.size())) {
    text.append(buffer, count);
    require_no_results(path, text);
    if (text.size() > max_study_bytes)
      throw base::FileError(path, "is larger than 4 MiB", "a study is a short TOML file; is this the right one?");
  }
  return text;
}

}  // namespace poslab::study
