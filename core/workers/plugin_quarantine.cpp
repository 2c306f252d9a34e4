// SPDX-License-Identifier: Apache-2.0
#include "worker_exit.hpp"

#include <fmt/format.h>

namespace poslab::workers {

void PluginQuarantine::count_crash(const data::SchemeInfo& scheme) {
  if (++crashes_[scheme.file_hash] == max_crashes) quarantined_.push_back({scheme.id, scheme.file, scheme.file_hash});
}

std::string PluginQuarantine::reason(const data::SchemeInfo& scheme) const {
  const auto crashes = crashes_.find(scheme.file_hash);
  if (crashes == crashes_.end() || crashes->second < max_crashes) return "";
  return fmt::format(
      "not performed: {} cells of this plugin ended their workers, so it was quarantined for this run ({}, sha256 {})",
      max_crashes, scheme.file, scheme.file_hash.substr(0, 12));
}

}  // namespace poslab::workers
