// SPDX-License-Identifier: Apache-2.0
// What a worker is asked before cells are performed: what a library offers, and what cells will need. If a question
// ends the worker, that is the answer.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "worker.hpp"

namespace poslab::workers {

class PluginProbe {
 public:
  /// `worker` gives a running one, a new one if need be; `discard` forgets a dead one; `time_limit` in seconds, of a
  /// question.
  PluginProbe(std::function<Worker&()> worker, std::function<void()> discard, double time_limit)
      : worker_(std::move(worker)), discard_(std::move(discard)), time_limit_(time_limit) {}

  /// Throws host::PluginRefused. A library whose loading ended a worker is not loaded again, nor another file with the
  /// same bytes.
  data::SchemeInfo open(const std::filesystem::path& file);

  /// Contents that cells name; they must outlive this.
  void give(const std::vector<GivenContents>& contents) { given_ = &contents; }

  using SchemeOf = std::function<const data::SchemeInfo&(const data::Cell&)>;
  /// What each cell will need. Each plugin is asked in a worker of its own.
  std::vector<data::Forecast> forecast(const std::vector<const data::Cell*>& cells, const SchemeOf& scheme_of);

 private:
  struct NoAnswer {
    std::string how;  ///< the worker ended
    bool killed_externally = false;
  };
  std::optional<data::SchemeInfo> ask_to_open(Worker& worker, const std::string& path);
  NoAnswer end_worker(Worker& worker);
  Worker& worker_of(const data::SchemeInfo& scheme);
  std::vector<data::Forecast> forecast_of(const data::SchemeInfo& scheme, const std::vector<const data::Cell*>& cells);

  std::function<Worker&()> worker_;
  std::function<void()> discard_;
  double time_limit_;
  const std::vector<GivenContents>* given_ = nullptr;
  std::map<std::string, std::string> dangerous_;  // hash of a library -> why it was refused
};

}  // namespace poslab::workers
