// SPDX-License-Identifier: Apache-2.0
// Names of arrays are those of Hugging Face transformers 4.57.1 and 5.24.0 (modeling_*.py), without what stands before
// them where a model is part of another: "transformer.", "bert.", "model.".
#include "poslab/import/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "keys.hpp"
#include "poslab/arrays/safetensors.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/import/model.hpp"

namespace poslab::importing {
namespace {

namespace fs = std::filesystem;

// Where the arrays of a scheme's weight are; "{}" stands for the layer.
struct Pattern {
  const char* scheme;
  const char* weight;
  const char* array;
  bool has_batch_axis = false;
};
constexpr std::array patterns{
    Pattern{"learned", "table", "wpe.weight"},                             // GPT-2 and its kin
    Pattern{"learned", "table", "positions_embed.weight"},                 // openai-gpt
    Pattern{"learned", "table", "embeddings.position_embeddings.weight"},  // BERT and its kin
    Pattern{"learned", "table", "encoder.embed_positions.weight"},         // BART
    Pattern{"learned", "table", "decoder.embed_positions.weight"},         // OPT, BART, Whisper
    Pattern{"learned", "table", "embeddings.position_embeddings", true},   // ViT
    Pattern{"bert-relative", "distance_embedding", "encoder.layer.{}.attention.self.distance_embedding.weight"},
    Pattern{"t5", "table", "encoder.block.{}.layer.0.SelfAttention.relative_attention_bias.weight"},
    Pattern{"t5", "table", "decoder.block.{}.layer.0.SelfAttention.relative_attention_bias.weight"}};

// The layer's digits (empty where the pattern has no "{}") if the name is the pattern or ends with it behind a dot.
std::optional<std::string> layer_in(const std::string& name, const std::string& pattern) {
  const std::size_t at = pattern.find("{}");
  const std::string tail = at == std::string::npos ? pattern : pattern.substr(at + 2);
  if (!name.ends_with(tail)) return {};
  std::string rest = name.substr(0, name.size() - tail.size()), layer;
  if (at != std::string::npos) {
    while (!rest.empty() && base::is_digit(rest.back())) layer.insert(layer.begin(), rest.back()), rest.pop_back();
    if (layer.empty() || !rest.ends_with(pattern.substr(0, at))) return {};
    rest.resize(rest.size() - at);
  }
  return rest.empty() || rest.back() == '.' ? std::optional(layer) : std::nullopt;
}

std::vector<std::string> names_in(const std::string& file) {
  try {
    const base::RegularFile opened(file);
    const arrays::Source source = arrays::source_of(opened);
    return arrays::Safetensors(source).names();
  } catch (const arrays::BadArray& problem) {
    throw base::FileError(file, problem.what(), "", base::Error::Kind::damaged);
  }
}

base::FileError no_checkpoint(const std::string& folder) {
  std::error_code problem;
  const bool is_pickle = fs::exists(fs::path(folder) / "pytorch_model.bin", problem);
  return {folder, "has neither model.safetensors nor model.safetensors.index.json",
          is_pickle ? "pytorch_model.bin is a pickle, which may run any code: convert it where it is trusted" : ""};
}

// The files of a checkpoint. Shards lie in the folder itself, whatever an index says.
std::set<std::string> files_of(const std::string& folder) {
  const fs::path whole = fs::path(folder) / "model.safetensors",
                 index = fs::path(folder) / "model.safetensors.index.json";
  std::error_code problem;
  if (fs::exists(whole, problem)) return {whole.string()};
  if (!fs::exists(index, problem)) throw no_checkpoint(folder);
  constexpr std::uint64_t max_index_bytes = std::uint64_t{64} << 20;
  const base::RegularFile file(index.string());
  if (file.size() > max_index_bytes) throw base::FileError(index.string(), "is larger than any index of a checkpoint");
  const Object read = Object::parse(file.bytes_at(0, max_index_bytes), nullptr, false);
  const auto damaged = [&] {
    return base::FileError(index.string(), "is no index of a checkpoint: it needs a weight_map of names to files", "",
                           base::Error::Kind::damaged);
  };
  if (!read.is_object() || !read.contains("weight_map") || !read["weight_map"].is_object()) throw damaged();
  std::set<std::string> files;
  for (const Object& shard : read["weight_map"]) {
    if (!shard.is_string()) throw damaged();
    const std::string name = shard.get<std::string>();
    if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos || name == "..")
      throw damaged();
    files.insert((fs::path(folder) / name).string());
  }
  return files;
}

// No study has such a table: its model is as wide as heads times head width.
void require_tables_of_the_models_width(const std::string& folder, const Model& model) {
  for (const Limit& limit : model.limits)
    if (limit.kind == Limit::Kind::table_width)
      throw base::FileError(folder,
                            fmt::format("has a table of positions that is {} wide ({}), in a model that is {} wide",
                                        limit.amount, limit.subject, model.heads * model.head_width),
                            fmt::format("run without --weights, or give the array alone to a study with d_model = {}: "
                                        "--weights learned.table=FILE:ARRAY",
                                        limit.amount),
                            base::Error::Kind::request);
}

base::Error several(const CheckpointArray& one, const CheckpointArray& other) {
  return {base::Error::Kind::request,
          fmt::format("{} and {} may both be the {} of {}", base::excerpt(one.array), base::excerpt(other.array),
                      one.weight, one.scheme),
          fmt::format("choose one: --weights {}",
                      base::shell_word(fmt::format("{}.{}={}:{}", one.scheme, one.weight, one.file, one.array)))};
}

}  // namespace

std::vector<CheckpointArray> checkpoint_arrays(const std::string& folder) {
  const Model model = read_model(folder);
  require_tables_of_the_models_width(folder, model);
  const auto is_used = [&](const Pattern& pattern) {
    return std::any_of(model.kinds.begin(), model.kinds.end(), [&](const LayerKind& kind) {
      const bool has_sides = kind.name == "encoder" || kind.name == "decoder";
      return kind.scheme == pattern.scheme && (!has_sides || std::string_view(pattern.array).starts_with(kind.name));
    });
  };
  std::vector<std::string> schemes;
  for (const LayerKind& kind : model.kinds) schemes.push_back(kind.scheme);
  if (std::none_of(patterns.begin(), patterns.end(), is_used))
    throw base::FileError(
        folder, fmt::format("is a model of {}, whose weights are none, or not known by name", base::enumerate(schemes)),
        "run without --weights", base::Error::Kind::request);
  std::map<std::pair<std::string, std::string>, CheckpointArray> found;  // by scheme and weight
  for (const std::string& file : files_of(folder))
    for (const std::string& name : names_in(file))
      for (const Pattern& pattern : patterns) {
        const std::optional<std::string> layer = is_used(pattern) ? layer_in(name, pattern.array) : std::nullopt;
        if (!layer) continue;
        const bool of_all = std::string_view(pattern.scheme) == "t5" && !model.kinds.front().set.contains("per_layer");
        const std::string weight = pattern.weight + (layer->empty() || of_all ? "" : "/" + *layer);
        const CheckpointArray array{pattern.scheme, weight, file, name, pattern.has_batch_axis};
        const auto [other, is_first] = found.emplace(std::pair(array.scheme, weight), array);
        if (!is_first) throw several(other->second, array);
      }
  if (found.empty())
    throw base::FileError(
        folder,
        fmt::format("has no array in its checkpoint that is known to be a weight of {}", base::enumerate(schemes)),
        "name it: --weights SCHEME.WEIGHT=FILE:ARRAY", base::Error::Kind::request);
  std::vector<CheckpointArray> all;
  for (const auto& [key, array] : found) all.push_back(array);
  return all;
}

}  // namespace poslab::importing
