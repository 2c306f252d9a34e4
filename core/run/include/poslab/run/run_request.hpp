// SPDX-License-Identifier: Apache-2.0
// What a run is asked to do, beside its study.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/plugin_check.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/study/study.hpp"

namespace poslab::run {

/// What to hand to the cells, as it stands on the command line.
struct SupplyRequest {
  std::vector<std::pair<std::string, std::string>> files;  ///< --data text=FILE
  std::vector<std::string> weights;                        ///< --weights FILE, or learned.table=FILE:ARRAY
  std::vector<std::string> networks = {};                  ///< --network FILE
};

struct RunRequest {
  std::string study;   ///< path
  std::string output;  ///< empty: ./<stem of the study>.h5
  study::Overrides overrides;
  SupplyRequest supply = {};
  int threads = 1;                   ///< that perform cells
  int workers = 1;                   ///< processes that share them; 0: none, cells are performed in this process
  double memory = 0;                 ///< bytes for cells
  bool fail_fast = false;            ///< start no further cell after the first that failed
  bool force = false;                ///< even if a cell is estimated to need more memory
  bool fresh = false;                ///< forget what earlier runs did
  std::optional<data::Shard> shard;  ///< of the plan, the part to perform
  std::vector<std::string> command_line;
  data::PluginChecks plugin_checks = {};
  std::string beside = {};  ///< results file, among whose answers these are reported; empty: none
};

}  // namespace poslab::run
