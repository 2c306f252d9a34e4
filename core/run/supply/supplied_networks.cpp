// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/supplied_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "poslab/arrays/source.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/run/contained_reader.hpp"
#include "poslab/run/exported_network.hpp"
#include "poslab/run/weights_source.hpp"

namespace poslab::run {
namespace {

constexpr const char* other_network_file = "name another file with --network";

base::Error wrong_network(const std::string& source, const std::string& problem, const std::string& hint = "") {
  return {base::Error::Kind::request, fmt::format("--network {}: {}", base::printable(source), problem), hint};
}

template <class T>
workers::GivenContents packed(const T& item) {
  std::string bytes = data::pack(item);
  std::string hash = base::sha256(bytes);
  return {std::move(hash), std::make_shared<const std::string>(std::move(bytes))};
}

std::vector<results::TrainedCell> cells_in(const std::string& file) {
  const base::RegularFile opened(file, other_network_file);
  if (arrays::format_of(arrays::source_of(opened)) == arrays::Format::safetensors) return {read_exported(file)};
  return read_weights(file, results::Kept::all);
}

// As --weights gives them: the same numbers make the same cell.
data::GivenWeights as_weights(const data::GivenNetwork& network) {
  data::GivenWeights weights = data::scheme_weights_of(network);
  for (data::KeptArray& array : weights.arrays)
    if (const auto* numbers = std::get_if<std::vector<float>>(&array.values))
      array.values = std::vector<double>(numbers->begin(), numbers->end());
  return weights;
}

// With which variant it gives the logits of its example.
void add_origin(const results::TrainedCell& cell, data::GivenNetwork& network) try {
  const auto at = experiments::find_experiment(cell.experiment).at(network.axes);
  const auto train_length = static_cast<double>(at->model_train_length());
  network.arrays.push_back({experiments::kept::example_train_length, {}, std::vector<double>{train_length}});
  network.arrays.push_back(experiments::array_of_text(experiments::kept::example_parameters, cell.parameters));
} catch (const std::exception&) {
  // axes that are none of this experiment: whoever asks for the network refuses it
}

data::GivenNetwork network_of(const std::string& file, const results::TrainedCell& cell) {
  std::optional<data::Values> axes = data::Values::from_json(cell.axes);
  if (!axes)
    throw base::FileError(file, fmt::format("has no axes of {} that can be read", base::printable(cell.variant)),
                          other_network_file);
  data::GivenNetwork network{cell.training, *std::move(axes), {}};
  network.arrays = cell.arrays;
  add_origin(cell, network);
  std::sort(network.arrays.begin(), network.arrays.end(),
            [](const data::KeptArray& a, const data::KeptArray& b) { return a.name < b.name; });  // whatever the file
  return network;
}

// The same network makes the same cell where nothing asks for its moments.
data::GivenNetwork without_moments(data::GivenNetwork network) {
  std::erase_if(network.arrays, experiments::is_of_optimiser);
  return network;
}

}  // namespace

SuppliedNetworks::SuppliedNetworks(const std::vector<std::string>& sources) {
  for (const std::string& text : sources) {
    const WeightsSource source = network_source(text);
    base::require_regular_file(source.file, other_network_file);
    sources_.push_back({text, source.file, ""});
    std::set<std::string> experiments;
    std::size_t found = 0;
    for (const results::TrainedCell& cell : cells_in(source.file)) {
      if (!cell.has_network) continue;
      experiments.insert(cell.experiment);
      if (!source.experiment.empty() && cell.experiment != source.experiment) continue;
      add(sources_.size() - 1, cell);
      ++found;
    }
    if (found == 0)
      throw base::FileError(
          source.file,
          experiments.empty()
              ? "keeps no network"
              : fmt::format("keeps no network that {} trained, but of {}", base::printable(source.experiment),
                            base::enumerate({experiments.begin(), experiments.end()})),
          experiments.empty() ? "train with keep_weights = true in [experiment.axes]"
                              : "choose with --network FILE:EXPERIMENT");
    sources_.back().file_hash = base::sha256_of_file(source.file);
  }
}

void SuppliedNetworks::add(std::size_t source, const results::TrainedCell& cell) {
  const data::GivenNetwork network = network_of(sources_[source].path, cell);
  const data::GivenWeights weights = as_weights(network);
  Network kept{packed(network), packed(without_moments(network)), {}, source};
  if (!weights.arrays.empty()) kept.weights = packed(weights);
  const data::Value* task = network.axes.find("task");
  Repeats& repeats = networks_[{cell.scheme, cell.d_model, cell.heads}]
                              [{cell.parameters, cell.experiment, task ? data::to_text(*task) : ""}];
  if (!repeats.emplace(static_cast<int>(cell.repeat), std::move(kept)).second)
    throw wrong_network(
        sources_[source].text,
        fmt::format("there are several networks of {}, repeat {}, one of them of {} {}", base::printable(cell.variant),
                    cell.repeat, base::printable(cell.experiment), base::printable(cell.axes)),
        "train again with one of these points (--axis, -o)");
}

const SuppliedNetworks::Repeats* SuppliedNetworks::find(const data::Cell& cell) const {
  const auto of_model = networks_.find({cell.variant.scheme, cell.axes.integer("d_model"), cell.axes.integer("heads")});
  if (of_model == networks_.end()) return nullptr;
  using Candidates = std::vector<std::pair<const Training*, const Repeats*>>;
  Candidates left;
  for (const auto& [training, repeats] : of_model->second) left.emplace_back(&training, &repeats);
  // Those that are alike in this, if some are.
  const auto prefer = [&](std::string Training::*fact, const std::string& wanted) {
    Candidates alike;
    for (const auto& candidate : left)
      if (candidate.first->*fact == wanted) alike.push_back(candidate);
    if (!alike.empty()) left = std::move(alike);
  };
  prefer(&Training::parameters, cell.variant.parameters.to_json());
  if (const data::Value* task = cell.axes.find("task")) prefer(&Training::task, data::to_text(*task));
  prefer(&Training::experiment, cell.experiment);
  if (left.size() == 1) return left.front().second;
  std::vector<std::string> names;
  for (const auto& [training, repeats] : left)
    names.push_back(fmt::format("{}, {}, {}", training->experiment, training->task, training->parameters));
  throw wrong_network(
      sources_[left.front().second->begin()->second.source].text,
      fmt::format("it has {} that could be those of {} of {}: {}", base::counted(left.size(), "network"),
                  cell.experiment, base::printable(cell.variant.label), base::printable(base::enumerate(names))),
      "choose one with FILE:EXPERIMENT, or keep the one that is meant in a file of its own (--only, --axis, -o)");
}

std::string SuppliedNetworks::held() const {
  std::vector<std::string> names;
  for (const auto& [model, variants] : networks_)
    names.push_back(fmt::format("{} (d_model {}, {} heads)", base::printable(std::get<0>(model)), std::get<1>(model),
                                std::get<2>(model)));
  return base::enumerate(names);
}

std::optional<data::Given> SuppliedNetworks::of(const data::Cell& cell) const {
  if (sources_.empty()) return std::nullopt;
  const bool takes_network = experiments::find_experiment(cell.experiment).at(cell.axes)->takes_network();
  const Repeats* repeats = find(cell);
  const auto found = repeats ? repeats->find(cell.repeat) : Repeats::const_iterator{};
  if (!repeats || found == repeats->end()) {
    if (!takes_network && !repeats) return std::nullopt;
    throw wrong_network(sources_.front().text,
                        repeats ? fmt::format("it has no network of repeat {} of {}: did that cell fail?", cell.repeat,
                                              base::printable(cell.variant.label))
                                : fmt::format("it has no network of {} (d_model {}, {} heads), but of {}",
                                              base::printable(cell.variant.label), cell.axes.integer("d_model"),
                                              cell.axes.integer("heads"), held()));
  }
  const Network& network = found->second;
  if (!takes_network && !network.weights.contents) return std::nullopt;
  used_.insert(network.source);
  if (takes_network)
    return data::Given{data::given_network,
                       (experiments::wants_moments(cell.axes) ? network.whole : network.bare).hash};
  return data::Given{data::given_weights, network.weights.hash};
}

std::optional<int> SuppliedNetworks::repeats_of(const data::Cell& cell) const {
  if (sources_.empty()) return std::nullopt;
  const bool takes_network = experiments::find_experiment(cell.experiment).at(cell.axes)->takes_network();
  const Repeats* repeats = find(cell);
  if (!repeats || (!takes_network && !repeats->begin()->second.weights.contents)) return std::nullopt;
  return static_cast<int>(repeats->size());
}

std::vector<workers::GivenContents> SuppliedNetworks::contents() const {
  std::vector<workers::GivenContents> all;
  for (const auto& [model, variants] : networks_)
    for (const auto& [training, repeats] : variants)
      for (const auto& [repeat, network] : repeats) {
        all.push_back(network.bare);
        if (network.whole.hash != network.bare.hash) all.push_back(network.whole);
        if (network.weights.contents) all.push_back(network.weights);
      }
  return all;
}

void SuppliedNetworks::require_used() const {
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (used_.count(i) == 0)
      throw wrong_network(sources_[i].text, "no cell that could be performed takes a network or weights of it");
}

base::Json SuppliedNetworks::provenance(const std::vector<data::Cell>& cells) const {
  std::set<std::string> hashes;
  for (const data::Cell& cell : cells)
    for (const data::Given& given : cell.given) hashes.insert(given.hash);
  std::set<std::size_t> used;
  for (const auto& [model, variants] : networks_)
    for (const auto& [training, repeats] : variants)
      for (const auto& [repeat, network] : repeats)
        for (const workers::GivenContents* packed : {&network.whole, &network.bare, &network.weights})
          if (hashes.count(packed->hash) > 0) used.insert(network.source);
  base::Json list = base::Json::array();
  for (const std::size_t i : used)
    list.push_back({{"network", sources_[i].text}, {"path", sources_[i].path}, {"sha256", sources_[i].file_hash}});
  return list;
}

}  // namespace poslab::run
