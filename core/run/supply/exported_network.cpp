// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/exported_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "poslab/arrays/safetensors.hpp"
#include "poslab/arrays/write.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/experiment/given_network.hpp"

namespace poslab::run {
namespace {

constexpr const char *format_key = "poslab", *format_of_today = "network 1";
constexpr std::string_view layer_prefix = "network/layer", of_layers = "layers.", of_network = "network/";
// Matrices that belong to no layer: to PyTorch the weights of a module.
constexpr std::array bare{"token_embedding", "vector_embedding", "unembedding"};

bool is_bare(std::string_view name) { return std::find(bare.begin(), bare.end(), name) != bare.end(); }

// "network/layer0/query/weight" -> "layers.0.query.weight"
std::string exported_name(std::string_view kept) {
  std::string name;
  if (kept.starts_with(layer_prefix)) {
    name = std::string(of_layers) + std::string(kept.substr(layer_prefix.size()));
  } else {
    name = kept.starts_with(of_network) ? kept.substr(of_network.size()) : kept;
    if (is_bare(name)) name += ".weight";
  }
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

std::string kept_name_of(std::string name) {
  for (const char* matrix : bare)
    if (name == std::string(matrix) + ".weight") return std::string(of_network) + matrix;
  std::replace(name.begin(), name.end(), '.', '/');
  if (name.starts_with("layers/")) return std::string(layer_prefix) + name.substr(of_layers.size());
  const bool is_other = name.starts_with("scheme/") || name.starts_with("example/") || name.starts_with("text/");
  return is_other ? name : std::string(of_network) + name;
}

// What the file says of itself.
class Facts {
 public:
  Facts(const std::string& path, const arrays::Safetensors& tensors) : path_(path), texts_(tensors.texts()) {}
  std::string text(const char* name) const {
    const auto found = texts_.find(name);
    if (found == texts_.end()) throw bad(fmt::format("does not say its {}", name));
    return found->second;
  }
  std::int64_t whole(const char* name) const {
    const std::string word = text(name);
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || number < 0)
      throw bad(fmt::format("has a {} that is no whole number from 0", name));
    return number;
  }
  void require_format() const {
    const auto found = texts_.find(format_key);
    if (found == texts_.end() || found->second != format_of_today)
      throw bad("is no network that `poslab weights` has written");
  }

 private:
  base::FileError bad(const std::string& problem) const {
    return {path_, problem, "write it with poslab weights RESULTS.h5 --to FILE.safetensors"};
  }
  const std::string& path_;
  const std::map<std::string, std::string>& texts_;
};

}  // namespace

std::string exported(const results::TrainedCell& cell) {
  std::vector<data::KeptArray> arrays = cell.arrays;
  // Another program has an optimiser of its own.
  std::erase_if(arrays, experiments::is_of_optimiser);
  for (data::KeptArray& array : arrays) array.name = exported_name(array.name);
  // The longer numbers in front, so that each lies where numbers of its length may.
  std::stable_partition(arrays.begin(), arrays.end(), [](const data::KeptArray& array) {
    return std::holds_alternative<std::vector<double>>(array.values);
  });
  return arrays::safetensors_bytes(arrays, {{"format", "pt"},
                                            {format_key, format_of_today},
                                            {"experiment", cell.experiment},
                                            {"scheme", cell.scheme},
                                            {"variant", cell.variant},
                                            {"parameters", cell.parameters},
                                            {"axes", cell.axes},
                                            {"d_model", std::to_string(cell.d_model)},
                                            {"heads", std::to_string(cell.heads)},
                                            {"repeat", std::to_string(cell.repeat)},
                                            {"trained_on", cell.training.title},
                                            {"steps", std::to_string(cell.training.steps)}});
}

results::TrainedCell read_exported(const std::string& path) try {
  const base::RegularFile file(path, "name another file");
  const arrays::Source source = arrays::source_of(file);
  const arrays::Safetensors tensors(source);
  const Facts facts(path, tensors);
  facts.require_format();
  results::TrainedCell cell{facts.text("experiment"),
                            facts.text("scheme"),
                            facts.text("variant"),
                            facts.text("parameters"),
                            facts.text("axes"),
                            facts.whole("d_model"),
                            facts.whole("heads"),
                            facts.whole("repeat"),
                            {facts.text("trained_on"), facts.whole("steps")},
                            {}};
  cell.has_network = true;
  for (const std::string& name : tensors.names()) {
    cell.arrays.push_back(tensors.read(name));
    cell.arrays.back().name = kept_name_of(name);
    if (const auto refusal = data::why_not_kept(cell.arrays.back())) throw arrays::BadArray(refusal->reason);
  }
  return cell;
} catch (const arrays::BadArray& problem) {
  throw base::FileError(path, problem.what(), "name another file");
}

}  // namespace poslab::run
