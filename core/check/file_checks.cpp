// SPDX-License-Identifier: Apache-2.0
// What the file is, before anything of it is called.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "list.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/host/elf_file.hpp"
#include "poslab/host/python.hpp"

namespace poslab::check {
namespace {

// The extents of version 1.0, below which no plugin's structs can be.
constexpr std::size_t min_plugin = offsetof(poslab_plugin, operation_count) + sizeof(std::int64_t);
constexpr std::size_t min_parameter = offsetof(poslab_parameter, default_list_count) + sizeof(std::int64_t);

// A sanitised or profiled library brings its runtime's names; they begin with an underscore, as no plugin's own may.
bool is_reserved(const std::string& name) { return !name.empty() && name.front() == '_'; }

const poslab_plugin& constant_of(const std::filesystem::path& file) {
  void* library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Failed(fmt::format("the loader refused it: {}", dlerror()));
  const void* constant = dlsym(library, POSLAB_SYMBOL_NAME);
  if (!constant)
    throw Failed(
        fmt::format("it exports no symbol {}: POSLAB_SCHEME(...) below the struct is missing", POSLAB_SYMBOL_NAME));
  return *static_cast<const poslab_plugin*>(constant);
}

// What its file says.
std::vector<std::string> read(const std::filesystem::path& file,
                              std::vector<std::string> (host::ElfFile::*part)() const) try {
  return (host::ElfFile(file).*part)();
} catch (const host::NotElf& problem) {
  throw Failed(problem.what());
} catch (const base::FileError& problem) {
  throw Failed(problem.problem);
}

// A Python file is no library: there is nothing of it to look at before it runs.
void require_library(const Trial& trial) {
  if (host::is_python(trial.file())) throw NotPerformed("a Python file is no shared library");
}

}  // namespace

std::string check_symbols(Trial& trial) {
  require_library(trial);
  std::vector<std::string> names = read(trial.file(), &host::ElfFile::exported_symbols);
  names.erase(std::remove_if(names.begin(), names.end(), is_reserved), names.end());
  trial.at("loading");
  constant_of(trial.file());
  if (names != std::vector<std::string>{POSLAB_SYMBOL_NAME})
    throw Failed(
        fmt::format("it exports {}; only {} may be seen from outside (-fvisibility=hidden, or a version script)",
                    base::enumerate(names), POSLAB_SYMBOL_NAME));
  return fmt::format("exports {} and nothing else; the loader finds all that it needs", POSLAB_SYMBOL_NAME);
}

std::string check_linking(Trial& trial) {
  require_library(trial);
  const std::vector<std::string> directories = read(trial.file(), &host::ElfFile::search_path);
  for (const std::string& directory : directories) {
    if (directory.empty())
      throw Failed(
          "its RUNPATH has an empty entry, which is the directory in which poslab runs; CMake adds one to what it is "
          "to "
          "install: set BUILD_WITH_INSTALL_RPATH of that target, or check what is installed");
    if (directory.front() != '/' && directory.rfind("$ORIGIN", 0) != 0 && directory.rfind("${ORIGIN}", 0) != 0)
      throw Failed(
          fmt::format("its RUNPATH holds \"{}\", which is taken from wherever poslab runs; use an absolute path, "
                      "or one that begins with $ORIGIN, the plugin's own folder",
                      base::printable(directory)));
  }
  return directories.empty() ? "names no directories of its own"
                             : fmt::format("looks in {} and the system's own", base::enumerate(directories));
}

std::string check_version(Trial& trial) {
  require_library(trial);
  const poslab_plugin& constant = constant_of(trial.file());
  const std::string both = fmt::format("built for version {}.{} of the boundary, and this poslab knows {}.{}",
                                       constant.major, constant.minor, POSLAB_MAJOR, POSLAB_MINOR);
  if (constant.major != POSLAB_MAJOR || constant.minor > POSLAB_MINOR) throw Failed(both);
  return both;
}

std::string check_sizes(Trial& trial) {
  require_library(trial);
  const poslab_plugin& constant = constant_of(trial.file());
  if (constant.size < min_plugin)
    throw Failed(
        fmt::format("poslab_plugin says that it has {} bytes, but version 1.0 has {}", constant.size, min_plugin));
  for (std::int64_t i = 0; constant.parameters && i < constant.parameter_count; ++i)
    if (constant.parameters[i] && constant.parameters[i]->size < min_parameter)
      throw Failed(fmt::format("poslab_parameter {} says that it has {} bytes, but version 1.0 has {}", i,
                               constant.parameters[i]->size, min_parameter));
  return fmt::format("poslab_plugin has {} bytes, and {} parameters have at least {}", constant.size,
                     constant.parameter_count, min_parameter);
}

std::string check_table(Trial& trial) {
  trial.at("opening");
  const data::SchemeInfo& info = trial.plugin()->info();
  trial.given();  // a request that the table does not allow is the user's mistake, not the plugin's
  return fmt::format("\"{}\", version {}, {}", info.id, info.version,
                     base::counted(info.parameters.size(), "parameter"));
}

}  // namespace poslab::check
