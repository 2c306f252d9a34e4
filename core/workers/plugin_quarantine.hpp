// SPDX-License-Identifier: Apache-2.0
// Which plugins have ended so many workers that their other cells are not performed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/workers/backend.hpp"

namespace poslab::workers {

class PluginQuarantine {
 public:
  /// After so many cells that ended a worker, a plugin is quarantined.
  static constexpr int most_crashes = 3;

  /// A cell of this scheme has ended a worker.
  void count_crash(const data::SchemeInfo& scheme);
  /// Why cells of this scheme are not performed any more; empty if they are.
  std::string reason(const data::SchemeInfo& scheme) const;
  const std::vector<QuarantinedPlugin>& quarantined() const { return quarantined_; }

 private:
  std::map<std::string, int> crashes_;  // by hash of the plugin's file
  std::vector<QuarantinedPlugin> quarantined_;
};

}  // namespace poslab::workers
