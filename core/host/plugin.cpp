// SPDX-License-Identifier: Apache-2.0
// Opening one plugin: refuse what would crash the loader, load, read the constant, check it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <boost/dll/shared_library.hpp>
#include <cfenv>
#include <map>
#include <mutex>

#include "calls/process_state.hpp"
#include "declared.hpp"
#include "files/plugin_file.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/python.hpp"
#include "python/plugin.hpp"

namespace poslab::host {
namespace {

// RTLD_NOW: an undefined symbol is an error here, not the end of the process at the first call. RTLD_NODELETE: the
// library stays loaded when the handle closes, since its code may be in use.
constexpr auto load_mode = static_cast<boost::dll::load_mode::type>(RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

// The loader's own words, out of Boost's: "... (dlerror system message: FILE: undefined symbol: f): Bad file
// descriptor".
std::string loader_words(const std::string& what, const std::string& file) {
  const std::string opening = "dlerror system message: ", closing = "): ";
  const std::size_t begin = what.find(opening), end = what.rfind(closing);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return what;
  std::string words = what.substr(begin + opening.size(), end - begin - opening.size());
  if (words.rfind(file + ": ", 0) == 0) words.erase(0, file.size() + 2);
  return words;
}

// What the loader has opened under a path stays, and is what it opens there again, whatever the file is by then.
void require_build_in_memory(const std::filesystem::path& file, const std::string& hash) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::string> opened;  // what is in this process's memory, by the first hash
  const std::scoped_lock lock(mutex);
  if (opened.emplace(file, hash).first->second != hash)
    throw PluginRefused(file, "this process has another build of it in memory, which stays; start the process anew");
}

}  // namespace

PluginRefused::PluginRefused(std::filesystem::path file_, const std::string& reason_)
    : Error(Kind::plugin, base::printable(fmt::format("{}: {}", file_.string(), reason_))),
      file(std::move(file_)),
      reason(base::printable(reason_)) {}

std::shared_ptr<const Plugin> Plugin::open(const std::filesystem::path& file) {
  const std::filesystem::path absolute = std::filesystem::absolute(file).lexically_normal();
  if (const auto refusal = is_python(absolute) ? why_not_source(absolute) : why_not_loadable(absolute))
    throw PluginRefused(absolute, refusal->reason);
  if (is_world_writable(absolute))
    throw PluginRefused(absolute, "everybody may write to this file; remove that permission (chmod o-w)");
  try {
    const std::string before = base::sha256_of_file(absolute.string());
    std::shared_ptr<Plugin> plugin(new Plugin);
    is_python(absolute) ? plugin->open_python(absolute) : plugin->open_library(absolute);
    plugin->info_.file = absolute.string();
    plugin->info_.file_hash = base::sha256_of_file(absolute.string());
    if (!is_python(absolute)) require_build_in_memory(absolute, before);
    if (plugin->info_.file_hash != before)  // else results of one build would carry the hash of the other
      throw PluginRefused(absolute, "was changed while it was loaded; run again once it is built");
    return plugin;
  } catch (const PluginRefused&) {
    throw;
  } catch (const boost::dll::fs::system_error& problem) {
    throw PluginRefused(
        absolute, "the loader refused it: " + base::shortened(loader_words(problem.what(), absolute.string()), 1000));
  } catch (const base::Error& problem) {
    throw PluginRefused(absolute, problem.what());
  }
}

void Plugin::open_library(const std::filesystem::path& file) {
  const std::set<std::string> mapped_before = mapped_libraries();
  const ProcessState state = ProcessState::now();
  // A library that turns traps on would be ended by what was inexact before it, rather than named.
  std::feclearexcept(FE_ALL_EXCEPT);
  const boost::dll::shared_library library(file, load_mode);
  const std::vector<std::string> changes = state.changes_in(ProcessState::now());
  restore_floating_point_mode();
  if (!changes.empty())
    throw PluginRefused(file, "loading it changes what others compute with: " + base::enumerate(changes));
  if (!library.has(POSLAB_SYMBOL_NAME))
    throw PluginRefused(file, fmt::format("no plugin: it exports no symbol {}; in C++ POSLAB_SCHEME(...) below the "
                                          "scheme's struct makes it: is that line missing?",
                                          POSLAB_SYMBOL_NAME));
  const auto& constant = library.get<const poslab_plugin>(POSLAB_SYMBOL_NAME);
  if (const auto refusal = why_not_version(constant)) throw PluginRefused(file, refusal->reason);
  table_ = copy_within_size(constant);
  info_ = describe(table_);
  info_.linked = linked_libraries(file.string(), mapped_before);
}

void Plugin::open_python(const std::filesystem::path& file) {
  python_ = std::make_shared<const PythonPlugin>(file);
  table_ = python_->table();
  info_ = describe(table_);
  info_.linked = python_->sources();
  for (const data::LinkedLibrary& source : info_.linked)
    if (std::filesystem::exists(source.file) && is_world_writable(source.file))
      throw PluginRefused(file, fmt::format("it imports {}, and everybody may write to that file; remove that "
                                            "permission (chmod o-w)",
                                            source.file));
}

std::int32_t Plugin::create(const poslab_value* values, const poslab_model* model, poslab_instance* instance,
                            poslab_error* error) const {
  return python_ ? python_->create(values, model, instance, error) : table_.create(values, model, instance, error);
}

}  // namespace poslab::host
