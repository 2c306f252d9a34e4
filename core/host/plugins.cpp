// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "poslab/data/pack.hpp"
#include "poslab/host/library.hpp"

namespace poslab::host {

std::shared_ptr<const Plugin> Plugins::open(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Plugin>& plugin = by_file_[std::filesystem::absolute(file).lexically_normal().string()];
  if (!plugin) plugin = Plugin::open(file);
  return plugin;
}

void Plugins::know(const data::SchemeInfo& scheme) {
  const std::lock_guard lock(mutex_);
  known_[scheme.id] = scheme;
}

std::shared_ptr<const Plugin> Plugins::at(const std::string& id) {
  data::SchemeInfo wanted;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(id);
    if (known == known_.end()) throw base::Error(fmt::format("no plugin offers the scheme \"{}\"", id));
    wanted = known->second;
  }
  auto plugin = open(wanted.file);
  if (plugin->info().id != id || plugin->info().code_hash() != wanted.code_hash())
    throw base::Error(
        fmt::format("the plugin {} was changed while the run went on; run again to use the new one", wanted.file));
  if (data::pack(plugin->info()) != data::pack(wanted))
    throw base::Error(
        fmt::format("the plugin {} declares itself otherwise here than when it was looked at first; a plugin has to "
                    "declare the same "
                    "wherever it is opened",
                    wanted.file));
  return plugin;
}

}  // namespace poslab::host
