// SPDX-License-Identifier: Apache-2.0
// What is asked of a worker before cells are performed: what a library offers, and what cells will need. A question that
// ends the worker gets an answer that says so.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/spec/plan.hpp"
#include "worker.hpp"

namespace poslab::run {

class Questions {
 public:
  /// `worker` gives a living one, a new one if need be; `bury` forgets one that is dead; `patience` in seconds, with one
  /// question.
  Questions(std::function<Worker&()> worker, std::function<void()> bury, double patience)
      : worker_(std::move(worker)), bury_(std::move(bury)), patience_(patience) {}

  /// Throws host::PluginRefused. A library whose loading ended a worker is not loaded again, wherever it lies: it is known
  /// by the hash of its bytes.
  base::SchemeInfo open(const std::filesystem::path& file);

  using HashOf = std::function<std::string(const base::Cell&)>;
  std::vector<spec::Forecast> forecast(const std::vector<const base::Cell*>& cells, const HashOf& hash_of);

 private:
  std::function<Worker&()> worker_;
  std::function<void()> bury_;
  double patience_;
  std::map<std::string, std::string> dangerous_;  // hash of a library -> how the worker ended
};

}  // namespace poslab::run
