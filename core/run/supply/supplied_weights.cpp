// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/supplied_weights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>

#include "poslab/arrays/npy.hpp"
#include "poslab/arrays/npz.hpp"
#include "poslab/arrays/safetensors.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/run/contained_reader.hpp"

namespace poslab::run {
namespace {

constexpr const char* other_file = "name another file with --weights";

base::Error wrong_weights(const std::string& source, const std::string& problem) {
  return {base::Error::Kind::request, fmt::format("--weights {}: {}", base::printable(source), problem)};
}

// "table from file 0123abcd, array wpe.weight": where a file lies is no property of a result.
std::string note_of(const WeightsSource& source, const std::string& file_hash) {
  return fmt::format("{} from file {}{}", source.weight, data::short_hash(file_hash),
                     source.array.empty() ? "" : ", array " + base::printable(source.array));
}

// A forecast looks at the weights of one repeat; the others must not fail hours later.
void require_finite(const std::string& file, const std::string& name, const data::KeptArray& array) {
  for (std::size_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(array.value(i)))
      throw base::FileError(
          file, fmt::format("{} is {} at number {}", base::printable(name), base::shortest(array.value(i)), i),
          "weights are finite numbers; " + std::string(other_file));
}

void require_alike(const std::string& file, const results::TrainedCell& cell, const results::TrainedCell& first) {
  bool alike = cell.arrays.size() == first.arrays.size();
  for (std::size_t i = 0; alike && i < cell.arrays.size(); ++i)
    alike = cell.arrays[i].name == first.arrays[i].name && cell.arrays[i].shape == first.arrays[i].shape;
  if (!alike)
    throw base::FileError(file,
                          fmt::format("has other arrays or shapes in repeat {} of {} than in repeat {}", cell.repeat,
                                      base::printable(cell.variant), first.repeat),
                          other_file);
}

// `other`: of the same file; null: of another.
std::string several(const results::TrainedCell& cell, const results::TrainedCell* other) {
  const auto point = [](const results::TrainedCell& one) { return one.experiment + " " + one.axes; };
  const std::string what_to_do = other && other->experiment != cell.experiment
                                     ? fmt::format("choose one, as in FILE:{}", cell.experiment)
                                     : std::string("train again with one of these points (--axis, -o)");
  return fmt::format("there are several weights of {}, repeat {}: of {} and of {}; {}", cell.variant, cell.repeat,
                     other ? point(*other) : "another --weights", point(cell), what_to_do);
}

data::KeptArray array_of(const WeightsSource& source) {
  const auto one_of = [&](const auto& container) {
    const std::vector<std::string> names = container.names();
    return container.read(source.array.empty() && names.size() == 1 ? names.front() : source.array);
  };
  try {
    const base::RegularFile file(source.file, other_file);
    const arrays::Source bytes = arrays::source_of(file);
    switch (arrays::format_of(bytes)) {
      case arrays::Format::npy:
        if (!source.array.empty()) throw arrays::BadArray("is a .npy file: it holds one array, which has no name");
        return arrays::read_npy(bytes);
      case arrays::Format::safetensors: return one_of(arrays::Safetensors(bytes));
      case arrays::Format::npz: return one_of(arrays::Npz(bytes));
      case arrays::Format::hdf5: break;
      case arrays::Format::pickle:
        throw arrays::BadArray(fmt::format("is a pickle, which only Python reads: {}", arrays::how_to_convert));
      case arrays::Format::unknown: throw arrays::BadArray("is no .npy, .npz, .safetensors or HDF5 file");
    }
  } catch (const arrays::BadArray& problem) {
    throw base::FileError(source.file, problem.what(), other_file);
  }
  return read_weights(source.file, source.array);
}

}  // namespace

SuppliedWeights::SuppliedWeights(const std::vector<std::string>& sources) {
  std::vector<std::pair<std::size_t, WeightsSource>> bound;
  for (const std::string& text : sources) {
    for (const WeightsSource& source : weights_sources(text)) {
      base::require_regular_file(source.file, other_file);
      sources_.push_back({source.is_whole_run() ? text : source.text(), source.scheme, source.file, "", ""});
      if (source.is_whole_run()) {
        add_run(sources_.size() - 1, source);
        sources_.back().file_hash = base::sha256_of_file(source.file);
      } else {
        bound.emplace_back(sources_.size() - 1, source);
      }
    }
  }
  add_arrays(bound);
}

SuppliedWeights::Question SuppliedWeights::question_of(const data::Cell& cell) {
  return {cell.variant.scheme, cell.variant.parameters.to_json(), cell.axes.integer("d_model"),
          cell.axes.integer("heads")};
}

SuppliedWeights::Packed SuppliedWeights::packed(const data::GivenWeights& weights, std::size_t source) const {
  std::string bytes = data::pack(weights);
  std::string hash = base::sha256(bytes);
  return {std::move(hash), std::make_shared<const std::string>(std::move(bytes)), source};
}

// What is wrong with the weights of a variant is told where a cell asks for them.
void SuppliedWeights::add_run(std::size_t index, const WeightsSource& source) {
  std::map<std::pair<Question, std::int64_t>, const results::TrainedCell*> points;
  std::map<Question, const results::TrainedCell*> first;
  std::set<std::string> held, experiments;
  const std::vector<results::TrainedCell> cells = read_weights(source.file);
  for (const results::TrainedCell& cell : cells) {
    sources_[index].has_network |= cell.has_network;
    if (cell.arrays.empty()) continue;  // of a scheme without weights
    experiments.insert(cell.experiment);
    if (!source.experiment.empty() && cell.experiment != source.experiment) continue;
    const Question question{cell.scheme, cell.parameters, cell.d_model, cell.heads};
    held.insert(fmt::format("{} (d_model {}, {} heads)", cell.variant, cell.d_model, cell.heads));
    try {
      for (const data::KeptArray& array : cell.arrays)
        require_finite(source.file, cell.variant + " " + array.name, array);
      const auto [other, is_first] = points.emplace(std::pair(question, cell.repeat), &cell);
      if (!is_first || of_runs_[question].count(static_cast<int>(cell.repeat)) > 0)
        throw wrong_weights(sources_[index].text, several(cell, is_first ? nullptr : other->second));
      require_alike(source.file, cell, *first.emplace(question, &cell).first->second);
      of_runs_[question][static_cast<int>(cell.repeat)] = packed({cell.training.text(), cell.arrays}, index);
    } catch (const base::Error&) {
      problems_.emplace(question, std::current_exception());
    }
  }
  if (held.empty() && !experiments.empty())
    throw base::FileError(source.file,
                          fmt::format("keeps no weights that {} trained, but of {}", base::printable(source.experiment),
                                      base::enumerate({experiments.begin(), experiments.end()})),
                          "choose with --weights FILE:EXPERIMENT");
  if (held.empty())
    throw base::FileError(source.file, "keeps no trained weights of any scheme",
                          sources_[index].has_network ? "give the networks that it keeps by --network"
                                                      : "train with keep_weights = true in [experiment.axes]");
  sources_[index].held = base::enumerate({held.begin(), held.end()});
  for (const auto& [question, repeats] : of_runs_)
    for (int repeat = 0; repeat < static_cast<int>(repeats.size()); ++repeat)
      if (repeats.count(repeat) == 0)
        problems_.emplace(
            question,
            std::make_exception_ptr(base::FileError(
                source.file,
                fmt::format("has no weights of repeat {} of {}: did that cell fail?", repeat, std::get<0>(question)),
                "run the study that trains once more: it goes on where it stopped")));
}

void SuppliedWeights::require_good(const Question& question) const {
  if (const auto problem = problems_.find(question); problem != problems_.end())
    std::rethrow_exception(problem->second);
}

void SuppliedWeights::add_arrays(const std::vector<std::pair<std::size_t, WeightsSource>>& bound) {
  std::map<std::string, data::GivenWeights> of_schemes;
  std::map<std::string, std::size_t> first;
  std::map<std::string, std::string> hashes;  // of files
  for (const auto& [index, source] : bound) {
    data::GivenWeights& weights = of_schemes[source.scheme];
    if (data::find_array(weights.arrays, source.weight))
      throw wrong_weights(sources_[index].text, "that weight was given already");
    data::KeptArray array = array_of(source);  // before the file is hashed: it may be anything, and of any size
    std::string& hash = hashes[source.file];
    if (hash.empty()) hash = base::sha256_of_file(source.file);
    sources_[index].file_hash = hash;
    if (source.has_batch_axis && array.shape.size() > 1 && array.shape.front() == 1)
      array.shape.erase(array.shape.begin());
    require_finite(source.file, source.array.empty() ? "its array" : source.array, array);
    array.name = source.weight;
    if (const auto refusal = data::why_not_kept(array)) throw bad_weights_source(sources_[index].text, refusal->reason);
    weights.arrays.push_back(std::move(array));
    weights.note += (weights.note.empty() ? "given weights: " : "; ") + note_of(source, sources_[index].file_hash);
    first.emplace(source.scheme, index);
  }
  for (const auto& [scheme, weights] : of_schemes) of_schemes_[scheme] = packed(weights, first[scheme]);
}

std::string SuppliedWeights::hash_of(const data::Cell& cell) const {
  require_good(question_of(cell));
  const auto bound = of_schemes_.find(cell.variant.scheme);
  const auto of_run = of_runs_.find(question_of(cell));
  if (bound != of_schemes_.end() && of_run != of_runs_.end())
    throw wrong_weights(sources_[bound->second.source].text,
                        fmt::format("{} has trained weights from another --weights already", cell.variant.label));
  if (bound == of_schemes_.end() && of_run == of_runs_.end()) return "";
  const Packed* found = nullptr;
  if (bound != of_schemes_.end()) {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].scheme == cell.variant.scheme) used_.insert(i);
    found = &bound->second;
  } else if (const auto repeat = of_run->second.find(cell.repeat); repeat != of_run->second.end()) {
    found = &repeat->second;
  }
  if (!found) return "";
  used_.insert(found->source);
  return found->hash;
}

void SuppliedWeights::require_no_network(const std::string& experiment) const {
  for (const Source& source : sources_)
    if (source.has_network)
      throw base::Error(
          base::Error::Kind::request,
          fmt::format("--weights {}: it holds whole networks, and {} trains one: of these numbers only the scheme's "
                      "would be taken",
                      base::printable(source.text), experiment),
          fmt::format(
              "go on from its network with --network {}, or give arrays of the scheme by SCHEME.WEIGHT=FILE:ARRAY",
              base::printable(source.text)));
}

std::optional<int> SuppliedWeights::repeats_of(const data::Cell& cell) const {
  require_good(question_of(cell));
  const auto of_run = of_runs_.find(question_of(cell));
  if (of_run == of_runs_.end()) return std::nullopt;
  return static_cast<int>(of_run->second.size());
}

std::vector<workers::GivenContents> SuppliedWeights::contents() const {
  std::vector<workers::GivenContents> all;
  for (const auto& [question, repeats] : of_runs_)
    for (const auto& [repeat, weights] : repeats) all.push_back({weights.hash, weights.contents});
  for (const auto& [scheme, weights] : of_schemes_) all.push_back({weights.hash, weights.contents});
  return all;
}

void SuppliedWeights::require_used() const {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (used_.count(i) > 0) continue;
    const std::string& held = sources_[i].held;
    throw wrong_weights(sources_[i].text,
                        held.empty()
                            ? "no cell that could be performed uses that scheme"
                            : "no cell that could be performed is of a variant that it holds, which are " + held);
  }
}

base::Json SuppliedWeights::provenance(const std::vector<data::Cell>& cells) const {
  std::set<std::string> hashes;
  for (const data::Cell& cell : cells)
    if (const data::Given* given = cell.find_given(data::given_weights)) hashes.insert(given->hash);
  base::Json list = base::Json::array();
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto is_from_it = [&](const Packed& weights) {
      return weights.source == i && hashes.count(weights.hash) > 0;
    };
    bool has_some = false;
    for (const auto& [question, repeats] : of_runs_)
      for (const auto& [repeat, weights] : repeats) has_some = has_some || is_from_it(weights);
    for (const auto& [scheme, weights] : of_schemes_)
      has_some = has_some || (sources_[i].scheme == scheme && hashes.count(weights.hash) > 0);
    if (has_some)
      list.push_back({{"weights", sources_[i].text}, {"path", sources_[i].path}, {"sha256", sources_[i].file_hash}});
  }
  return list;
}

}  // namespace poslab::run
