// SPDX-License-Identifier: Apache-2.0
// Cells that train a network: run with what only they take, interrupted, and their numbers as bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"

namespace trainings {

using poslab::data::Record;
using poslab::data::Value;
using poslab::data::Values;
namespace experiments = poslab::experiments;
using cells::bytes_of, cells::list, cells::whole;

inline Value real(double x) { return x; }
inline Value word(std::string text) { return text; }

struct Given {
  experiments::Attempt& attempt = experiments::unwatched();
  const experiments::Files& files = experiments::no_files();
  const poslab::data::GivenWeights* weights = nullptr;
  const poslab::data::GivenNetwork* network = nullptr;
};

/// What a cell kept, as it is given to another.
inline poslab::data::GivenNetwork network_of(const Record& record, const Values& axes) {
  return {record.training(), axes, record.kept()};
}

/// The model has the train length that the experiment says, as in a run.
inline poslab::host::Model model_of(const cells::Cell& cell, const Values& axes) {
  poslab::host::Model model = cell.model;
  model.train_length = experiments::find_experiment(cell.experiment).at(axes)->model_train_length();
  return model;
}

inline poslab::data::Draws draws_of(const cells::Cell& cell) {
  return {20261122, cell.experiment, cell.scheme, cell.repeat};
}

inline Record train(const cells::Cell& cell, const Given& given = {}) {
  const Values axes = cells::all_axes(cell);
  const poslab::host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, model_of(cell, axes));
  const poslab::data::Draws draws = draws_of(cell);
  poslab::data::GivenWeights weights;
  if (given.network) weights = poslab::data::scheme_weights_of(*given.network);
  return experiments::find_experiment(cell.experiment)
      .run({scheme,
            axes,
            draws,
            cell.placement,
            given.attempt,
            given.files,
            given.network ? &weights : given.weights,
            {},
            nullptr,
            given.network});
}

/// With what a network is refused.
inline std::optional<poslab::base::Refusal> why_not_network(const cells::Cell& cell,
                                                            const poslab::data::GivenNetwork& network,
                                                            const experiments::Files& files = experiments::no_files()) {
  const Values axes = cells::all_axes(cell);
  const poslab::host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, model_of(cell, axes));
  return experiments::find_experiment(cell.experiment)
      .at(axes)
      ->why_not_network({scheme, cell.placement, files, nullptr, &network}, axes);
}

inline std::optional<poslab::base::Refusal> why_skip(const cells::Cell& cell) {
  const Values axes = cells::all_axes(cell);
  const poslab::host::Scheme scheme(cells::plugin(cell.scheme), cell.parameters, model_of(cell, axes));
  return experiments::find_experiment(cell.experiment).at(axes)->why_skip({scheme, cell.placement});
}

inline const std::vector<double>& curve(const Record& record, const std::string& measure) {
  const poslab::data::Measurement* found = record.measurement(measure);
  if (!found || found->values.empty()) throw std::logic_error("the record has no curve \"" + measure + "\"");
  return found->values;
}

/// What stands for a kill.
struct Interruption {};

/// Keeps a checkpoint every few steps, and is interrupted after a step, before it is kept.
class Interrupted : public experiments::Attempt {
 public:
  Interrupted(std::string from, std::uint64_t every, std::uint64_t stop)
      : from_(std::move(from)), every_(every), stop_(stop) {}
  const std::string& checkpoint() const override { return from_; }
  bool progress(const experiments::Progress& progress) override {
    if (first == 0) first = progress.done;
    if (progress.done == stop_) throw Interruption();
    return progress.done % every_ == 0;
  }
  void keep(std::string checkpoint) override { kept = std::move(checkpoint); }

  std::uint64_t first = 0;  ///< step
  std::string kept;

 private:
  std::string from_;
  std::uint64_t every_, stop_;
};

/// Remembers what is said.
class Watched : public experiments::Attempt {
 public:
  const std::string& checkpoint() const override { return none_; }
  bool progress(const experiments::Progress& progress) override {
    said.push_back(progress);
    return false;
  }
  void keep(std::string) override {}

  std::vector<experiments::Progress> said;

 private:
  std::string none_;
};

/// What is said of a cell only grows, and ends with all of it, the evaluation too.
inline void check_says_all(const cells::Cell& cell, std::uint64_t steps) {
  Watched watched;
  train(cell, {watched});
  REQUIRE(watched.said.size() > steps + 1);
  for (std::size_t i = 1; i < watched.said.size(); ++i) CHECK(watched.said[i].done >= watched.said[i - 1].done);
  for (const experiments::Progress& progress : watched.said) CHECK(progress.total == watched.said.back().total);
  CHECK(watched.said[steps - 1].done == steps);
  CHECK(watched.said.back().total > steps);
  CHECK(watched.said.back().done == watched.said.back().total);
  CHECK(watched.said.back().sentence == "trained, 100 % evaluated");
}

/// As long as nobody interrupts it after step `stop`; then it goes on from what it kept last, once per number.
inline Record train_interrupted(const cells::Cell& cell, std::uint64_t every, const std::vector<std::uint64_t>& stops,
                                const experiments::Files& files = experiments::no_files()) {
  std::string kept;
  for (const std::uint64_t stop : stops) {
    Interrupted attempt(kept, every, stop);
    try {
      train(cell, {attempt, files});
      throw std::logic_error("it was not interrupted");
    } catch (const Interruption&) {
    }
    if (!attempt.kept.empty()) kept = attempt.kept;
  }
  Interrupted last(kept, every, 0);
  Record record = train(cell, {last, files});
  const std::uint64_t expected = stops.empty() ? 1 : (stops.back() - 1) / every * every + 1;
  if (last.first != expected) throw std::logic_error("it went on from another step than the last that was kept");
  return record;
}

}  // namespace trainings
