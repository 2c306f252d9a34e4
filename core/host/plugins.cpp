// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/text.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

// Those of `one` that `other` has not.
std::vector<std::string> only_in(const data::SchemeInfo& one, const data::SchemeInfo& other) {
  std::vector<std::string> files;
  for (const data::LinkedLibrary& library : one.linked)
    if (std::none_of(other.linked.begin(), other.linked.end(),
                     [&](const data::LinkedLibrary& its) { return its.file == library.file; }))
      files.push_back(library.file);
  return files;
}

void require_same_libraries(const data::SchemeInfo& here, const data::SchemeInfo& alone) {
  if (here.file_hash != alone.file_hash) return;  // another build may want others
  const std::vector<std::string> only_alone = only_in(alone, here), only_here = only_in(here, alone);
  if (only_alone.empty() && only_here.empty()) return;
  throw base::Error(
      base::Error::Kind::plugin,
      fmt::format("the plugin {} has {} in this process, and {} in one of its own: libraries of one name meet where "
                  "several plugins are loaded",
                  here.file, only_here.empty() ? "no library of its own" : base::enumerate(only_here),
                  only_alone.empty() ? "none" : base::enumerate(only_alone)),
      "run it without --in-process, or alone (--only)");
}

}  // namespace

std::shared_ptr<const Plugin> Plugins::open(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Plugin>& plugin = by_file_[std::filesystem::absolute(file).lexically_normal().string()];
  if (!plugin) plugin = Plugin::open(file);
  return plugin;
}

void Plugins::register_scheme(const data::SchemeInfo& scheme) {
  const std::lock_guard lock(mutex_);
  known_[scheme.id] = scheme;
}

std::shared_ptr<const Plugin> Plugins::at(const std::string& id) {
  data::SchemeInfo wanted;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(id);
    if (known == known_.end()) throw no_such_scheme(id, {});
    wanted = known->second;
  }
  auto plugin = open(wanted.file);
  require_same_libraries(plugin->info(), wanted);
  if (plugin->info().id != id || plugin->info().code_hash() != wanted.code_hash())
    throw base::Error(base::Error::Kind::plugin,
                      fmt::format("the plugin {} was changed while the run went on", wanted.file),
                      "run again to use the new one");
  if (data::pack(plugin->info()) != data::pack(wanted))
    throw base::Error(
        base::Error::Kind::plugin,
        fmt::format("the plugin {} declares itself otherwise here than when it was looked at first", wanted.file),
        "a plugin has to declare the same wherever it is opened");
  return plugin;
}

}  // namespace poslab::host
