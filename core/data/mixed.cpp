// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/mixed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/hash.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/label.hpp"

namespace poslab::data {
namespace {

std::vector<std::string> names_of(const Values& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

// "3 rope, none": equal ones that follow each other are counted.
std::string counted(const std::vector<std::string>& texts) {
  std::vector<std::string> runs;
  for (std::size_t first = 0, end = 0; first < texts.size(); first = end) {
    while (end < texts.size() && texts[end] == texts[first]) ++end;
    runs.push_back(end - first > 1 ? fmt::format("{} {}", end - first, texts[first]) : texts[first]);
  }
  return fmt::format("{}", fmt::join(runs, ", "));
}

std::string id_of(const std::vector<LayerVariant>& layers) {
  std::string id;
  for (auto layer = layers.begin(); layer != layers.end(); ++layer)
    if (std::find(layers.begin(), layer, *layer) == layer) id += (id.empty() ? "" : "+") + layer->scheme;
  return id;
}

}  // namespace

std::string by_layer_text(const std::vector<LayerVariant>& layers) {
  std::vector<std::string> texts;
  for (const LayerVariant& layer : layers)
    texts.push_back(label_of(layer.scheme, layer.parameters, names_of(layer.parameters)));
  return counted(texts);
}

std::string mixed_label(const std::vector<LayerVariant>& layers, const std::vector<Values>& set) {
  std::vector<std::string> texts;
  for (const LayerVariant& layer : layers) {
    std::vector<std::string> told;
    for (const auto& [name, value] : layer.parameters)
      for (std::size_t other = 0; other < layers.size(); ++other)
        if (layers[other].scheme == layer.scheme && set[other].contains(name)) {
          told.push_back(name);
          break;
        }
    texts.push_back(label_of(layer.scheme, layer.parameters, told));
  }
  return counted(texts);
}

SchemeInfo mixed_scheme(const std::vector<LayerVariant>& layers, const std::vector<SchemeInfo>& schemes) {
  SchemeInfo mixed;
  for (const LayerVariant& layer : layers) {
    const auto is_it = [&](const SchemeInfo& scheme) { return scheme.id == layer.scheme; };
    if (std::none_of(mixed.parts.begin(), mixed.parts.end(), is_it))
      mixed.parts.push_back(*std::find_if(schemes.begin(), schemes.end(), is_it));
  }
  std::vector<std::string> ids, versions, files;
  std::string hashes;
  for (const SchemeInfo& part : mixed.parts) {
    ids.push_back(part.id), versions.push_back(part.id + " " + part.version), files.push_back(part.file);
    hashes += part.file_hash;
    mixed.linked.push_back({part.file, part.file_hash});
    mixed.linked.insert(mixed.linked.end(), part.linked.begin(), part.linked.end());
  }
  mixed.id = id_of(layers);
  mixed.title = "Layers of " + base::enumerate(ids);
  mixed.summary = "Each layer of a stack has the scheme that the study names for it.";
  mixed.version = fmt::format("{}", fmt::join(versions, ", "));
  mixed.file = fmt::format("{}", fmt::join(files, ", "));
  mixed.file_hash = base::sha256(hashes);
  Quantity what;
  what.name = by_layer, what.kind = Kind::choice, what.choices = {by_layer_text(layers)};
  what.sentence = "what each layer has; layer l of a stack has entry l modulo their number";
  mixed.parameters = {what};
  return mixed;
}

std::vector<SchemeInfo> plugins_of(const SchemeInfo& scheme) {
  return scheme.parts.empty() ? std::vector<SchemeInfo>{scheme} : scheme.parts;
}

}  // namespace poslab::data
