// SPDX-License-Identifier: Apache-2.0
#include "poslab/scaffold/scheme_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "filled.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"

namespace poslab::scaffold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  const std::string problem = fmt::format("cannot be written: {}", std::strerror(error));
  if (base::is_disk_error(error))
    throw base::FileError(path.string(), problem, "make room, or choose another --dir", base::Error::Kind::disk);
  throw base::FileError(path.string(), problem, "choose another --dir");
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) fail(file, errno);
}

// Whether folders in `directory` are built with poslab itself.
bool is_plugins_of_poslab(const fs::path& directory) {
  return fs::exists(directory / ".." / "core" / "sdk" / "include" / "poslab" / "plugin.h");
}

// The prefix of the poslab that runs, unless find_package looks there by itself or would find nothing.
fs::path prefix_to_name() {
  fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const bool usual = prefix == "/usr" || prefix == "/usr/local";
  return usual || !fs::exists(prefix / "lib/cmake/poslab") ? fs::path() : prefix;
}

void make_directory(const fs::path& directory) {
  std::error_code problem;
  if (fs::is_directory(directory, problem)) return;
  if (fs::exists(fs::symlink_status(directory, problem)))
    throw base::FileError(directory.string(), "is no directory", "move it away, or choose another --dir");
  if (!fs::create_directories(directory, problem) && problem) fail(directory, problem.value());
}

void write_files(const SchemeFolder& scheme) {
  for (const char* suffix : {".cpp", ".md", "_test.py"})
    write(scheme.folder / (scheme.name + suffix), filled(scheme.family + suffix, scheme.name));
  write(scheme.folder / "CMakeLists.txt",
        filled(scheme.in_tree ? "CMakeLists.txt.inside" : "CMakeLists.txt.outside", scheme.name));
}

void require_known(const std::string& name, const std::string& family) {
  if (!is_usable(name))
    throw base::Error(
        base::Error::Kind::argument,
        fmt::format(
            "\"{}\" cannot be a scheme's name: lower-case letters, digits and hyphens, a letter first, like my-rope",
            name));
  if (std::find(families().begin(), families().end(), family) == families().end())
    throw base::Error(
        base::Error::Kind::argument,
        fmt::format("\"{}\" is no family to begin with{}", family, base::did_you_mean(family, families())),
        base::enumerate(families()) + " are");
}

void require_free(const fs::path& path) {
  std::error_code problem;
  if (fs::exists(fs::symlink_status(path, problem)))
    throw base::FileError(path.string(), "is there already", "nothing was written: choose another name or --dir");
}

}  // namespace

const std::vector<std::string>& families() {
  static const std::vector<std::string> all{"additive", "rotary", "bias"};
  return all;
}

fs::path write_scheme_file(const std::string& name, const std::string& family, const fs::path& directory) {
  require_known(name, family);
  make_directory(directory);
  const fs::path file = directory / (as_module(name) + ".py");
  require_free(file);
  try {
    write(file, filled(family + ".py", name));
  } catch (const base::FileError&) {
    std::error_code problem;
    fs::remove(file, problem);
    throw;
  }
  return file;
}

SchemeFolder write_scheme_folder(const std::string& name, const std::string& family, const fs::path& directory) {
  require_known(name, family);
  make_directory(directory);
  const char* path = std::getenv("PATH");
  const SchemeFolder scheme{directory / name, name,
                            family,           is_plugins_of_poslab(directory),
                            prefix_to_name(), missing_build_tools(path ? path : "")};
  require_free(scheme.folder);
  std::error_code problem;
  if (!fs::create_directory(scheme.folder, problem)) fail(scheme.folder, problem.value());
  try {
    write_files(scheme);
  } catch (const base::FileError&) {
    fs::remove_all(scheme.folder, problem);
    throw;
  }
  return scheme;
}

}  // namespace poslab::scaffold
