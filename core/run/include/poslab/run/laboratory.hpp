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

class Laboratory {
 public:
  explicit Laboratory(const host::Library& library) : library_(library) {}

  /// What can be said of a cell before anything runs: whether it can be served, and what it needs. Any thread.
  spec::Forecast forecast(const base::Cell& cell);
  /// Runs one cell. Never throws: whatever goes wrong is an Outcome with a reason. Any thread.
  base::Outcome perform(const base::Cell& cell);

 private:
  std::shared_ptr<const host::Scheme> scheme_for(const base::Cell& cell);  // throws base::Refused, base::Error

  const host::Library& library_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const host::Scheme>> schemes_;
};

}  // namespace poslab::run
