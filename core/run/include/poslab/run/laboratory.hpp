// SPDX-License-Identifier: Apache-2.0
// The schemes at hand, made once per variant and model; what they and the experiments say of a cell before it runs;
// and the performing of one cell.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "poslab/base/cell.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/spec/plan.hpp"

namespace poslab::run {

/// What became of a cell, and whether it failed for want of memory: alone it might have had enough.
struct Performed {
  base::Outcome outcome;
  bool wanted_memory = false;
};

class Laboratory {
 public:
  explicit Laboratory(host::Plugins& plugins) : plugins_(plugins) {}

  /// What can be said of a cell before anything runs: whether it can be served, and what it needs. A scheme that fails
  /// here is left to fail when the cell is performed, where that is a result. Any thread.
  spec::Forecast forecast(const base::Cell& cell);
  /// Runs one cell. Never throws: whatever goes wrong is an Outcome with a reason. Any thread.
  Performed perform(const base::Cell& cell);

 private:
  std::shared_ptr<const host::Scheme> scheme_for(const base::Cell& cell);  // throws base::Refused, base::Error

  host::Plugins& plugins_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const host::Scheme>> schemes_;
};

}  // namespace poslab::run
