// SPDX-License-Identifier: Apache-2.0
#include "poslab/workers/cell_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>

#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::workers {
namespace {

// A study may have as many variants and lengths as cells, and tables may be large; cells of one variant and length come
// one after another.
constexpr std::size_t most_schemes = 200;

// Training has shown the positions at which the policy places tokens: a table must reach to the last of them.
base::Index train_length_of(const data::Cell& cell) {
  const base::Index length = experiments::find_experiment(cell.experiment).train_length(cell.axes);
  if (cell.placement.is_plain() || cell.placement.is_grid()) return length;
  return std::max(length, static_cast<base::Index>(std::floor(cell.placement.highest(length))) + 1);
}

host::Model model_of(const data::Cell& cell) {
  const base::Index model_width = cell.axes.integer("d_model"), heads = cell.axes.integer("heads");
  if (model_width % heads != 0)
    throw data::Refused(
        fmt::format("{} heads do not divide d_model = {}: the head width would not be whole", heads, model_width));
  return {model_width, heads, train_length_of(cell)};
}

base::Index layers_of(const data::Cell& cell) {
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  return experiment.layers ? experiment.layers(cell.axes) : 1;
}

std::string label(const data::Cell& cell) {
  std::string text = cell.experiment + " of " + cell.variant.label;
  for (const auto& [name, value] : cell.axes) text += " " + name + "=" + data::to_text(value);
  return text;
}

}  // namespace

// Kept alive here for as long as a cell uses it.
struct CellRunner::Hand {
  std::vector<std::shared_ptr<const std::string>> contents;
  experiments::Files files;
  std::shared_ptr<const data::GivenWeights> weights;
};

void CellRunner::give(const std::string& hash, std::shared_ptr<const std::string> contents) {
  const std::lock_guard lock(mutex_);
  gifts_[hash] = {std::move(contents), nullptr};
}

CellRunner::Hand CellRunner::hand_of(const data::Cell& cell) {
  Hand hand;
  const std::lock_guard lock(mutex_);
  for (const data::Given& given : cell.given) {
    const auto found = gifts_.find(given.hash);
    if (found == gifts_.end()) throw base::Error(fmt::format("{} needs {}, which was not given", cell.id, given.name));
    Gift& gift = found->second;
    hand.contents.push_back(gift.contents);
    if (given.name != data::given_weights) {
      hand.files.emplace(given.name, *gift.contents);
      continue;
    }
    if (!gift.weights)
      gift.weights = std::make_shared<const data::GivenWeights>(data::unpack_given_weights(*gift.contents));
    hand.weights = gift.weights;
  }
  return hand;
}

std::shared_ptr<const host::Scheme> CellRunner::scheme_for(const data::Cell& cell) {
  const host::Model model = model_of(cell);
  const std::string key = fmt::format("{} {} {} {} {}", cell.variant.scheme, cell.variant.parameters.to_json(),
                                      model.model_width, model.heads, model.train_length);
  const std::shared_ptr<Slot> slot = slot_of(key);
  // A plugin's code runs under the lock of its own variant only: if it never returns, nobody else waits for it.
  const std::lock_guard lock(slot->mutex);
  if (!slot->scheme)
    slot->scheme = std::make_shared<host::Scheme>(plugins_.at(cell.variant.scheme), cell.variant.parameters, model);
  return slot->scheme;
}

std::shared_ptr<CellRunner::Slot> CellRunner::slot_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (slots_.size() >= most_schemes) slots_.clear();  // those in use are kept by their users
  std::shared_ptr<Slot>& slot = slots_[key];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

data::Forecast CellRunner::forecast(const data::Cell& cell) {
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  data::Forecast forecast;
  try {
    const auto scheme = scheme_for(cell);
    const Hand hand = hand_of(cell);
    forecast.draws_weights = experiments::draws_weights(*scheme, hand.weights.get());
    forecast.skip = experiments::why_not_positions(*scheme, cell.placement, experiment.train_length(cell.axes));
    if (forecast.skip.empty()) forecast.skip = experiment.why_skip(*scheme, cell.axes, cell.placement);
    if (!forecast.skip.empty()) return forecast;
    if (hand.weights) forecast.misfit = experiments::why_not_weights(*scheme, *hand.weights, layers_of(cell));
    forecast.estimate = experiment.estimate_with_files && !hand.files.empty()
                            ? experiment.estimate_with_files(*scheme, cell.axes, cell.placement, hand.files)
                            : experiment.estimate(*scheme, cell.axes, cell.placement);
  } catch (const data::Refused& refused) {
    forecast.skip = refused.what();
  } catch (const data::PositionOutOfRange& out_of_range) {
    forecast.skip = out_of_range.what();
  } catch (const std::exception&) {
    return {};
  }
  return forecast;
}

Performed CellRunner::perform(const data::Cell& cell, experiments::Attempt& attempt) {
  Performed performed;
  data::Outcome& outcome = performed.outcome;
  const auto fail = [&](const std::string& reason) {
    outcome.status = data::Status::failed;
    outcome.message = reason;
    outcome.record = {};
  };
  const auto start = std::chrono::steady_clock::now();
  std::fesetenv(FE_DFL_ENV);  // whatever the last plugin on this thread has left behind
  try {
    const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
    const auto scheme = scheme_for(cell);
    const data::Draws draws(cell.seed, cell.experiment, cell.variant.scheme, cell.repeat);
    const Hand hand = hand_of(cell);
    outcome.record =
        experiment.run({*scheme, cell.axes, draws, cell.placement, attempt, hand.files, hand.weights.get()});
    const data::Training& training = outcome.record.training();  // of an experiment that trains
    outcome.message = training.steps > 0 ? training.text() : experiments::weights_note(*scheme, hand.weights.get());
  } catch (const std::bad_alloc&) {
    fail(label(cell) + ": not enough memory");
    performed.lacked_memory = true;
  } catch (const std::exception& failure) {
    fail(failure.what());
  } catch (...) {
    fail(label(cell) + ": threw something that is no std::exception");
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return performed;
}

}  // namespace poslab::workers
