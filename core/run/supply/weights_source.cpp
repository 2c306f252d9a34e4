// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/weights_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/import/checkpoint.hpp"

namespace poslab::run {
namespace {

bool is_word(const std::string& text, const char* others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return base::is_word_character(c) || std::string_view(others).find(c) != std::string_view::npos;
  });
}

bool is_there(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

// The file, and into `part` what is chosen of it.
void take_file(WeightsSource& source, std::string& part, const std::string& text) {
  source.file = text;
  if (is_there(text)) return;
  std::size_t colon = text.find(':');
  if (colon == std::string::npos) return;
  for (std::size_t at = colon; at != std::string::npos; at = text.find(':', at + 1))
    if (is_there(text.substr(0, at))) {
      colon = at;
      break;
    }
  source.file = text.substr(0, colon);
  part = text.substr(colon + 1);
}

// `learned.table=...`, in its two parts.
bool take_weight(WeightsSource& source, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string left = text.substr(0, equals == std::string::npos ? 0 : equals);
  const std::size_t dot = left.find('.');
  if (dot == std::string::npos || !is_word(left.substr(0, dot), "+") || !is_word(left.substr(dot + 1), "/"))
    return false;
  source.scheme = left.substr(0, dot), source.weight = left.substr(dot + 1);
  return true;
}

}  // namespace

base::Error bad_weights_source(const std::string& text, const std::string& problem) {
  return {base::Error::Kind::argument, fmt::format("--weights {}: {}", base::printable(text), problem),
          "give the results of a run that kept its weights, or an array, as in "
          "learned.table=model.safetensors:embeddings.position_embeddings.weight"};
}

std::string WeightsSource::text() const {
  if (is_whole_run()) return file + (experiment.empty() ? "" : ":" + experiment);
  return scheme + "." + weight + "=" + file + (array.empty() ? "" : ":" + array);
}

WeightsSource weights_source(const std::string& text) {
  WeightsSource source;
  const std::size_t equals = text.find('=');
  if (take_weight(source, text)) {
    take_file(source, source.array, text.substr(equals + 1));
  } else {
    take_file(source, source.experiment, text);
    if (equals != std::string::npos && !is_there(source.file))
      throw bad_weights_source(text,
                               fmt::format("\"{}\" is no SCHEME.WEIGHT", base::printable(text.substr(0, equals))));
  }
  if (source.file.empty()) throw bad_weights_source(text, "no file is named");
  return source;
}

WeightsSource network_source(const std::string& text) {
  const auto refused = [&](const char* problem) {
    return base::Error(base::Error::Kind::argument, fmt::format("--network {}: {}", base::printable(text), problem),
                       "give the results of a run that kept its networks, or an exported one");
  };
  WeightsSource source, of_a_weight;
  take_file(source, source.experiment, text);
  if (source.file.empty()) throw refused("no file is named");
  if (!is_there(source.file) && take_weight(of_a_weight, text))
    throw refused("arrays are given by --weights; a network is the results of a run that kept it");
  return source;
}

std::vector<WeightsSource> weights_sources(const std::string& text) {
  const WeightsSource source = weights_source(text);
  std::error_code none;
  if (!source.is_whole_run() || !std::filesystem::is_directory(source.file, none)) return {source};
  std::vector<WeightsSource> all;
  for (const importing::CheckpointArray& one : importing::checkpoint_arrays(source.file))
    all.push_back({one.scheme, one.weight, one.file, one.array, "", one.has_batch_axis});
  return all;
}

}  // namespace poslab::run
