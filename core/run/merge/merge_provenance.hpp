// SPDX-License-Identifier: Apache-2.0
// What the shards of a run say of the machines and programs that made them, as one.
#pragma once

#include <string>
#include <vector>

#include "merge/shard_set.hpp"
#include "poslab/run/provenance.hpp"

namespace poslab::run {

/// What the shards of a run say beside its numbers. Texts of a shard may be anybody's.
struct MergedFacts {
  explicit MergedFacts(const Shards& shards);

  Mixture mixture;
  std::vector<journal::JournalBuild> builds;  ///< added up
  data::PluginChecks plugin_checks;           ///< of each plugin the worst that a shard says
  std::string supply;       ///< what was given to the cells, each once, as `provenance/supply` has it; empty: nothing
  std::string shards_text;  ///< what each says of the machine that it was made on, as JSON

  /// With what the first shard says of the study and of its build.
  results::Provenance provenance(const Shard& first, const std::vector<std::string>& arguments,
                                 const Stopwatch& watch) const;
};

}  // namespace poslab::run
