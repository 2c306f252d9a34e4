// SPDX-License-Identifier: Apache-2.0
// Opening one library: refuse what would crash the loader, load, read the constant, check it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <boost/dll/shared_library.hpp>

#include "calls/process_state.hpp"
#include "declared.hpp"
#include "files/plugin_file.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/host/library.hpp"

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

}  // namespace

PluginRefused::PluginRefused(std::filesystem::path file_, const std::string& reason_)
    : Error(base::printable(fmt::format("{}: {}", file_.string(), reason_))),
      file(std::move(file_)),
      reason(base::printable(reason_)) {}

std::shared_ptr<const Plugin> Plugin::open(const std::filesystem::path& file) {
  const std::filesystem::path absolute = std::filesystem::absolute(file).lexically_normal();
  if (const std::string reason = why_not_loadable(absolute); !reason.empty()) throw PluginRefused(absolute, reason);
  if (is_world_writable(absolute))
    throw PluginRefused(absolute, "everybody may write to this file; remove that permission (chmod o-w)");
  try {
    const std::string before = base::sha256_of_file(absolute.string());
    const std::set<std::string> mapped_before = mapped_libraries();
    const ProcessState state = ProcessState::now();
    const boost::dll::shared_library library(absolute, load_mode);
    const std::vector<std::string> changes = state.changes_in(ProcessState::now());
    restore_floating_point_mode();
    if (!changes.empty())
      throw PluginRefused(absolute, "loading it changes what others compute with: " + base::enumerate(changes));
    if (!library.has(POSLAB_SYMBOL_NAME))
      throw PluginRefused(absolute, fmt::format("no plugin: it exports no symbol {}", POSLAB_SYMBOL_NAME));
    const auto& constant = library.get<const poslab_plugin>(POSLAB_SYMBOL_NAME);
    if (const std::string reason = why_not_version(constant); !reason.empty()) throw PluginRefused(absolute, reason);
    std::shared_ptr<Plugin> plugin(new Plugin);
    plugin->table_ = copy_within_size(constant);
    plugin->info_ = describe(plugin->table_);
    plugin->info_.file = absolute.string();
    plugin->info_.file_hash = base::sha256_of_file(absolute.string());
    plugin->info_.linked = linked_libraries(absolute.string(), mapped_before);
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

}  // namespace poslab::host
