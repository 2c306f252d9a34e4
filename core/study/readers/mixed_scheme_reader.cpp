// SPDX-License-Identifier: Apache-2.0
// `layers` of a [[scheme]]: what each layer of a stack has, by its number modulo the length of the list.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cells.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/data/mixed.hpp"
#include "readers/readers.hpp"

namespace poslab::study {
namespace {

constexpr std::size_t max_entries = 10000;  // as deep as a stack may be

// What an entry of this scheme sets, of the table that may be there.
void read_entry_set(const toml::node& node, TableReader* reader, LayerUse& use, Draft& draft) {
  const data::SchemeInfo* info = plugin_of(use.id, draft.catalogue);
  if (!info) {
    draft.report.add(location_of(node), no_such_scheme(use.id, draft.catalogue));
    return;
  }
  const Vocabulary vocabulary = vocabulary_of(*info);
  std::map<std::string, Taken> taken;
  if (reader) {
    use.set = read_set(*reader, vocabulary, taken);
    reader->refuse_others(vocabulary.names(), "set");
  }
  require_parameters(vocabulary, taken, "set", location_of(node), draft.report);
}

// One entry is a scheme, or a table with a scheme and what it sets; nothing after its mistake was reported.
std::optional<LayerUse> read_entry(const toml::node& node, Draft& draft) {
  const std::size_t before = draft.report.count();
  LayerUse use;
  if (const auto id = node.value_exact<std::string>()) {
    use.id = id_of(*id, draft);
    read_entry_set(node, nullptr, use, draft);
  } else if (const toml::table* table = node.as_table()) {
    TableReader reader(*table, location_of(node), "an entry of layers", draft.report);
    use.id = id_of(reader.required_text("use").value_or(""), draft);
    if (!use.id.empty()) read_entry_set(node, &reader, use, draft);
  } else {
    draft.report.add(location_of(node), fmt::format("an entry of layers is {}, but must be a scheme or a table like "
                                                    "{{ use = \"rope\", set = {{ base = 1e6 }} }}",
                                                    kind_of(node)));
  }
  return draft.report.count() > before ? std::nullopt : std::optional(std::move(use));
}

std::vector<LayerUse> read_entries(TableReader& reader, Draft& draft) {
  const toml::node& node = *reader.find("layers");
  const toml::array* list = node.as_array();
  std::vector<LayerUse> entries;
  if (!list) {
    draft.report.add(location_of(node),
                     fmt::format("\"layers\" is {}, but must be a list: of each layer its scheme", kind_of(node)));
  } else if (list->empty()) {
    draft.report.add(location_of(node), "\"layers\" is empty: name a scheme for each layer");
  } else if (list->size() > max_entries) {
    draft.report.add(location_of(node), fmt::format("\"layers\" has {} entries, but at most {} are read; a list is "
                                                    "repeated over the depth of a stack",
                                                    list->size(), max_entries));
  } else {
    for (const toml::node& entry : *list)
      if (auto use = read_entry(entry, draft)) entries.push_back(std::move(*use));
  }
  return entries;
}

// What has no meaning beside a list.
void refuse_beside(TableReader& reader, Draft& draft) {
  if (const toml::node* use = reader.find("use"))
    draft.report.add(location_of(*use), "a [[scheme]] has \"use\" or \"layers\", and this one has both");
  if (const toml::node* set = reader.find("set"))
    draft.report.add(location_of(*set),
                     "\"set\" beside layers is of no scheme: put it into their entries, as in "
                     "{ use = \"rope\", set = { base = 1e6 } }");
  for (const char* key : {"axes", "zip"})
    if (const toml::node* varied = reader.find(key))
      draft.report.add(location_of(*varied), fmt::format("\"{}\" beside layers has nothing to vary: give each list of "
                                                         "layers a [[scheme]] of its own",
                                                         key));
}

// A list that says the same several times over is that, once.
void shorten(std::vector<LayerUse>& entries, std::vector<data::LayerVariant>& layers) {
  const auto repeats = [&](std::size_t period) {
    return layers.size() % period == 0 &&
           std::equal(layers.begin() + static_cast<std::ptrdiff_t>(period), layers.end(), layers.begin());
  };
  std::size_t period = 1;
  while (!repeats(period)) ++period;
  entries.resize(period);
  layers.resize(period);
}

// Adds a mixed scheme to what the study knows, with one more value of its parameter if it is there already.
void add_mixed(data::SchemeInfo&& made, Draft& draft) {
  for (std::vector<data::SchemeInfo>* schemes : {&draft.study.mixed, &draft.catalogue.schemes}) {
    if (data::SchemeInfo* known = base::find_by(*schemes, &data::SchemeInfo::id, made.id))
      known->parameters.front().choices.push_back(made.parameters.front().choices.front());
    else
      schemes->push_back(made);
  }
}

}  // namespace

data::LayerVariant layer_variant_of(const LayerUse& use, const data::SchemeInfo& info) {
  SchemeUse alone{use.id, use.set, {}, {}, {}, {}};
  return {use.id, axis_product_of(alone, info).point(0)};
}

void read_mixed_scheme(const toml::table& table, Draft& draft) {
  const std::size_t before = draft.report.count();
  TableReader reader(table, location_of(table), "[[scheme]]", draft.report);
  std::vector<LayerUse> entries = read_entries(reader, draft);
  refuse_beside(reader, draft);
  std::string label = read_label(reader, "these layers", draft.catalogue);
  SchemeUse use{"layers", {}, {}, {}, reader.location(), read_placement(reader, draft.report), std::move(label)};
  reader.refuse_others();
  if (draft.report.count() > before) {
    draft.faulty.schemes.insert(use.id);
    return;
  }
  std::vector<data::LayerVariant> layers;
  for (const LayerUse& entry : entries) layers.push_back(layer_variant_of(entry, *draft.catalogue.scheme(entry.id)));
  shorten(entries, layers);
  if (entries.size() == 1) {  // every layer alike: a scheme as any other
    use.id = entries.front().id, use.set = entries.front().set;
  } else {
    data::SchemeInfo mixed = data::mixed_scheme(layers, draft.catalogue.schemes);
    use.id = mixed.id, use.layers = std::move(entries);
    use.set = {{data::by_layer, mixed.parameters.front().choices.front()}};
    add_mixed(std::move(mixed), draft);
  }
  draft.study.schemes.push_back(std::move(use));
}

}  // namespace poslab::study
