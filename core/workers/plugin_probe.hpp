// SPDX-License-Identifier: Apache-2.0
// What a worker is asked before cells are performed: what a library offers, and what cells will need. If a question
// ends the worker, that is the answer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "worker.hpp"

namespace poslab::workers {

/// The cells of one plugin whose needs a worker forecasts: some questions are sent ahead, and the answers arrive in
/// their order.
class ForecastQueue {
 public:
  static constexpr std::size_t max_ahead = 256;  ///< questions that are sent before they are answered
  static constexpr int max_failures = 3;         ///< after so many, nobody asks what the other cells need

  /// `cells` must outlive this.
  explicit ForecastQueue(const std::vector<const data::Cell*>& cells);

  /// Leaves out what is not worth asking; false if nothing is left to wait for.
  bool skip_hopeless();
  /// The body of the next message to send; nothing if enough are on their way.
  std::optional<std::string> next_question();
  /// False for an answer to another question. Throws data::NotPacked.
  bool take_answer(std::string_view body);
  /// The first cell without an answer has ended its worker: what it needs stays unknown.
  void give_up_first();
  /// The questions that have no answer have to be sent again, to another worker.
  void ask_again() { asked_ = answered_; }
  std::vector<data::Forecast> take_forecasts() { return std::exchange(forecasts_, {}); }

 private:
  bool is_hopeless() const { return failures_ >= max_failures; }

  const std::vector<const data::Cell*>& cells_;
  std::vector<data::Forecast> forecasts_;
  int failures_ = 0;
  std::size_t answered_ = 0, asked_ = 0;
};

class PluginProbe {
 public:
  /// `start` starts a worker without threads; `cell_seconds`: as BackendOptions has it.
  PluginProbe(std::function<std::unique_ptr<Worker>()> start, double cell_seconds);

  /// Each library is opened in a process of its own: of two whose own libraries have one name, the loader would give
  /// the second those of the first. Throws host::PluginRefused, process::NoProcess. A library whose loading ended its
  /// process is not loaded again, nor another file with the same bytes.
  data::SchemeInfo open(const std::filesystem::path& file);

  /// Contents that cells name; they must outlive this.
  void provide(const std::vector<GivenContents>& contents);

  using SchemeOf = std::function<const data::SchemeInfo&(const data::Cell&)>;
  /// What each cell will need. Each plugin is asked in a worker of its own.
  std::vector<data::Forecast> forecast(const std::vector<const data::Cell*>& cells, const SchemeOf& scheme_of);

 private:
  struct NoAnswer {
    std::string how;  ///< the worker ended
    bool was_killed_externally = false, was_stopped = false;
  };
  // What somebody outside has done to the workers that were asked one question.
  struct Disturbances {
    int kills = 0, stops = 0;
    // Whether this is one more that the question is not to blame for; so many are believed.
    bool explain(const NoAnswer& no_answer);
  };
  std::optional<data::SchemeInfo> ask_to_open(Worker& worker, const std::string& path);
  NoAnswer end_worker(const std::filesystem::path& file);
  Worker& worker();
  std::vector<data::Forecast> forecast_of(const data::SchemeInfo& scheme, const std::vector<const data::Cell*>& cells);

  std::function<std::unique_ptr<Worker>()> start_;
  double time_limit(const std::filesystem::path& file) const;
  const double cell_seconds_;
  std::unique_ptr<Worker> worker_;
  const std::vector<GivenContents>* given_ = nullptr;
  std::map<std::string, std::string> dangerous_;  // hash of a library -> why it was refused
};

}  // namespace poslab::workers
