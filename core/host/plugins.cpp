// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/pack.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme_errors.hpp"

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
    if (known == known_.end()) throw NoSuchScheme(id, {});
    wanted = known->second;
  }
  auto plugin = open(wanted.file);
  if (plugin->info().id != id || plugin->info().code_hash() != wanted.code_hash())
    throw PluginChanged(wanted.file, PluginChanged::What::file);
  if (data::pack(plugin->info()) != data::pack(wanted))
    throw PluginChanged(wanted.file, PluginChanged::What::declaration);
  return plugin;
}

}  // namespace poslab::host
