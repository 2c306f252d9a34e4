// SPDX-License-Identifier: Apache-2.0
#include "poslab/workers/cell_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <new>
#include <string>

#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/common_work.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/needs.hpp"
#include "timed_attempt.hpp"

namespace poslab::workers {
namespace {

// A study may have as many variants and lengths as cells, and tables may be large; cells of one variant and length come
// one after another.
constexpr std::size_t max_schemes = 200;

// Training has shown the positions at which the policy places tokens: a table must reach to the last of them.
base::Index train_length_of(const data::Cell& cell) {
  const base::Index length = experiments::find_experiment(cell.experiment).at(cell.axes)->model_train_length();
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
  return experiments::find_experiment(cell.experiment).at(cell.axes)->scheme_layers();
}

double numbers_of_weights(const host::LayerSchemes& schemes, base::Index layers) {
  double numbers = 0;
  for (const host::LayerSchemes::Part& part : schemes.parts(layers))
    for (const host::WeightInfo& weight : part.scheme->weights()) {
      double size = weight.per_layer ? static_cast<double>(layers) : 1;
      for (int axis = 0; axis < weight.rank; ++axis) size *= static_cast<double>(weight.shape[axis]);
      numbers += size;
    }
  return numbers;
}

std::optional<base::Refusal> why_not_mixed(const data::Cell& cell, const experiments::Definition& at) {
  if (cell.variant.layers.empty() || at.takes_mixed()) return std::nullopt;
  return fmt::format("{} looks at one scheme, and {} has one for each layer; give each of them a [[scheme]] of its own",
                     cell.experiment, cell.variant.label);
}

// All of a cell that is not its scheme, nor where its tokens stand.
experiments::CommonToSchemes common_to_schemes(experiments::CommonWork& work, const data::Cell& cell) {
  return {work, fmt::format("{} {} {} {}", cell.experiment, cell.seed, cell.repeat, cell.axes.to_json())};
}

// Bytes: the most that this process has held so far. What getrusage says begins with the process that started it.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::strtod(line.c_str() + 6, nullptr);
  return 0;
}

}  // namespace

// Kept alive here for as long as a cell uses it.
struct CellRunner::CellInputs {
  std::vector<std::shared_ptr<const std::string>> contents;
  experiments::Files files;
  std::shared_ptr<const data::GivenWeights> weights;
  std::shared_ptr<const data::GivenNetwork> network;
  double network_bytes = 0;
};

// Those of the layers, kept alive.
struct CellRunner::Schemes {
  explicit Schemes(std::vector<std::shared_ptr<const host::Scheme>> owned_)
      : owned(std::move(owned_)), list(pointers()) {}
  std::vector<const host::Scheme*> pointers() const {
    std::vector<const host::Scheme*> all;
    for (const auto& scheme : owned) all.push_back(scheme.get());
    return all;
  }
  const host::LayerSchemes* mixed() const { return owned.size() > 1 ? &list : nullptr; }
  std::vector<std::shared_ptr<const host::Scheme>> owned;
  host::LayerSchemes list;
};

data::Outcome tried_twice(data::Outcome outcome) {
  outcome.message += "; the cell was tried twice";
  return outcome;
}

CellRunner::CellRunner(host::Plugins& plugins)
    : plugins_(plugins), common_work_(std::make_unique<experiments::CommonWork>()) {}
CellRunner::~CellRunner() = default;

void CellRunner::provide(const std::string& hash, std::shared_ptr<const std::string> contents) {
  const std::lock_guard lock(mutex_);
  given_[hash] = {std::move(contents), nullptr, nullptr};
}

CellRunner::CellInputs CellRunner::inputs_of(const data::Cell& cell) {
  CellInputs inputs;
  const std::lock_guard lock(mutex_);
  for (const data::Given& given : cell.given) {
    const auto found = given_.find(given.hash);
    if (found == given_.end()) throw base::Error(fmt::format("{} needs {}, which was not given", cell.id, given.name));
    GivenEntry& entry = found->second;
    inputs.contents.push_back(entry.contents);
    if (given.name == data::given_weights) {
      if (!entry.weights)
        entry.weights = std::make_shared<const data::GivenWeights>(data::unpack<data::GivenWeights>(*entry.contents));
      inputs.weights = entry.weights;
    } else if (given.name == data::given_network) {
      if (!entry.network) {
        entry.network = std::make_shared<const data::GivenNetwork>(data::unpack<data::GivenNetwork>(*entry.contents));
        entry.weights = std::make_shared<const data::GivenWeights>(data::scheme_weights_of(*entry.network));
      }
      inputs.weights = entry.weights;
      inputs.network = entry.network;
      inputs.network_bytes = static_cast<double>(entry.contents->size());
    } else {
      inputs.files.emplace(given.name, *entry.contents);
    }
  }
  return inputs;
}

CellRunner::Schemes CellRunner::schemes_for(const data::Cell& cell) {
  return schemes_for(cell.variant, model_of(cell));
}

CellRunner::Schemes CellRunner::schemes_for(const data::Variant& variant, const host::Model& model) {
  std::vector<std::shared_ptr<const host::Scheme>> schemes;
  for (const data::LayerVariant& layer : variant.layers) schemes.push_back(scheme_for(layer, model));
  if (schemes.empty()) schemes.push_back(scheme_for({variant.scheme, variant.parameters}, model));
  return Schemes(std::move(schemes));
}

// Layers with the same variant have the same object.
std::shared_ptr<const host::Scheme> CellRunner::scheme_for(const data::LayerVariant& variant,
                                                           const host::Model& model) {
  const std::string key = fmt::format("{} {} {} {} {}", variant.scheme, variant.parameters.to_json(), model.model_width,
                                      model.heads, model.train_length);
  const std::shared_ptr<SchemeEntry> entry = entry_of(key);
  // A plugin's code runs under the lock of its own variant only: if it never returns, nobody else waits for it.
  const std::lock_guard lock(entry->mutex);
  if (!entry->scheme)
    entry->scheme = std::make_shared<host::Scheme>(plugins_.at(variant.scheme), variant.parameters, model);
  return entry->scheme;
}

std::shared_ptr<CellRunner::SchemeEntry> CellRunner::entry_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (schemes_.size() >= max_schemes) schemes_.clear();  // those in use are kept by their users
  std::shared_ptr<SchemeEntry>& entry = schemes_[key];
  if (!entry) entry = std::make_shared<SchemeEntry>();
  return entry;
}

std::string CellRunner::changed_note(const data::Cell& cell, const data::GivenNetwork& network) try {
  namespace kept = experiments::kept;
  const data::KeptArray *parameters = data::find_array(network.arrays, kept::example_parameters),
                        *train_length = data::find_array(network.arrays, kept::example_train_length);
  if (!parameters || !train_length) return "";
  data::Variant own = cell.variant;  // it may have been trained with other parameters than those of the cell
  if (const std::string text = experiments::text_of(*parameters); text != own.parameters.to_json()) {
    const std::optional<data::Values> values = data::Values::from_json(text);
    if (!values || !own.layers.empty()) return "";
    own.parameters = *values;
  }
  host::Model model = model_of(cell);
  model.train_length = static_cast<base::Index>(train_length->value(0));
  const Schemes schemes = schemes_for(own, model);
  return experiments::changed_note(experiments::example_error(network, schemes.list).value_or(0));
} catch (const data::Refused&) {
  return "";  // parameters, or positions, that the scheme of today does not serve
} catch (const data::PositionOutOfRange&) {
  return "";
} catch (const base::Error& error) {
  if (error.kind != base::Error::Kind::numeric) throw;
  return "changed since elsewhere: with its weights the example in its file has no logits";
}

// What the outcome says of the weights and of the network that its numbers are of.
void CellRunner::tell_weights(const data::Cell& cell, const host::LayerSchemes& schemes, const CellInputs& inputs,
                              data::Outcome& outcome) {
  const data::Training& training = outcome.record.training();  // of an experiment that trains
  const std::string changed = inputs.network ? changed_note(cell, *inputs.network) : "";
  if (training.steps > 0) {
    outcome.message = training.text();
    if (inputs.network) {
      outcome.message += "; begun with a network " + inputs.network->training.text();
      if (!changed.empty()) outcome.message += ", " + changed;
      if (const std::string note = experiments::moments_note(*inputs.network, cell.axes); !note.empty())
        outcome.message += ", " + note;
    }
    outcome.weights = data::WeightsState::trained;
  } else if (!training.title.empty() && !inputs.weights) {
    outcome.message = data::untrained_note;
    outcome.weights = data::WeightsState::untrained;
  } else {
    outcome.message = experiments::weights_note(schemes, inputs.weights.get());
    if (!changed.empty()) outcome.message += ", " + changed;
    outcome.weights = experiments::state_of_weights(schemes, inputs.weights.get());
  }
}

data::Forecast CellRunner::forecast(const data::Cell& cell) {
  data::Forecast forecast;
  try {
    const auto at = experiments::find_experiment(cell.experiment).at(cell.axes);
    if (const auto refusal = why_not_mixed(cell, *at)) throw data::Refused(refusal->reason);
    const Schemes schemes = schemes_for(cell);
    const CellInputs inputs = inputs_of(cell);
    forecast.draws_weights = experiments::draws_weights(schemes.list, inputs.weights.get());
    const experiments::Setting setting{schemes.list.first(), cell.placement, inputs.files, schemes.mixed(),
                                       inputs.network.get()};
    auto refusal = schemes.list.first_refusal([&](const host::Scheme& scheme) {
      return experiments::why_not_positions(scheme, cell.placement, at->model_train_length());
    });
    if (!refusal) refusal = at->why_skip(setting);
    if (refusal) throw data::Refused(refusal->reason);
    if (inputs.network) refusal = at->why_not_network(setting, cell.axes);
    if (inputs.weights && !refusal)
      refusal = experiments::why_not_weights(schemes.list, *inputs.weights, layers_of(cell));
    forecast.misfit = std::move(refusal);
    forecast.shares_work = at->shares_work();
    forecast.estimate = at->estimate(setting);
    forecast.estimate.bytes += 3 * inputs.network_bytes;  // packed, unpacked, and as numbers of the cell
    // Drawn in double, whatever the experiment's own numbers are, and once more in float32 where these are.
    const double weights = numbers_of_weights(schemes.list, layers_of(cell));
    forecast.estimate.bytes += (sizeof(double) + sizeof(float)) * weights;
    forecast.estimate.operations += experiments::Needs(schemes.list).draw(weights);
  } catch (const data::Refused& refused) {
    forecast.skip = base::refusal_by_stranger(refused.what());
  } catch (const data::PositionOutOfRange& out_of_range) {
    forecast.skip = base::refusal_by_stranger(out_of_range.what());
  } catch (const std::exception& failure) {
    forecast.estimate = {.why_unknown = base::refusal_by_stranger(failure.what())};
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
    if (const auto refusal = why_not_mixed(cell, *experiment.at(cell.axes))) throw data::Refused(refusal->reason);
    const Schemes schemes = schemes_for(cell);
    const data::Draws draws(cell.seed, cell.experiment, cell.variant.scheme, cell.repeat);
    const CellInputs inputs = inputs_of(cell);
    outcome.record = experiment.run({schemes.list.first(), cell.axes, draws, cell.placement, attempt, inputs.files,
                                     inputs.weights.get(), common_to_schemes(*common_work_, cell), schemes.mixed(),
                                     inputs.network.get()});
    tell_weights(cell, schemes.list, inputs, outcome);
  } catch (const Interrupted&) {
    performed.was_interrupted = true;
  } catch (const host::OutOfMemory& lack) {
    fail(fmt::format("{}: not enough memory for {}", data::full_text(cell), lack.where));
    performed.lacked_memory = true;
  } catch (const std::bad_alloc&) {
    fail(data::full_text(cell) + ": not enough memory");
    performed.lacked_memory = true;
  } catch (const host::ProcessLost& lost) {
    fail(lost.what());
    performed.lost_process = true;
  } catch (const std::exception& failure) {
    fail(failure.what());
  } catch (...) {
    fail(data::full_text(cell) + ": threw something that is no std::exception");
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.peak_memory = peak_memory();
  return performed;
}

}  // namespace poslab::workers
