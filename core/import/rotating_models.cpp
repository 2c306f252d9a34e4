// SPDX-License-Identifier: Apache-2.0
// Readers of models that rotate queries and keys. Dimension letters: K head width.
#include <fmt/format.h>

#include "rotary.hpp"

namespace poslab::importing {
namespace {

std::int64_t head_width_of(const Reading& reading, const Ladder& ladder, std::int64_t usual) {
  if (!ladder.width_key) return usual;
  const std::optional<std::int64_t> own = reading.keys.count({ladder.width_key}, "head width");
  if (!own) reading.keys.ledger().assume(ladder.width_key, std::to_string(ladder.width));
  return own.value_or(ladder.width);
}

LayerKind rotating(const Reading& reading, const Ladder& ladder, const std::string& name, const Sizes& sizes) {
  const std::int64_t K = head_width_of(reading, ladder, sizes.head_width);
  const std::optional<Rotation> rotation = rotation_of(reading, ladder, K, reading.family.ladders.size() == 1);
  if (!rotation) return no_positions(name, sizes);
  if (!rotation->table && reading.family.has_own_scaling)
    throw not_served(
        fmt::format("the configuration has neither rope_scaling nor rope_parameters: readers of {} take a "
                    "scaling of their own then",
                    reading.family.types.front()));
  return {.name = name,
          .scheme = "rope",
          .set = rope_parameters(reading, *rotation, K),
          .heads = sizes.heads,
          .head_width = K};
}

// Queries of Ministral 3 grow with the logarithm of their position, by a key among those of the rotation.
void note_query_temperature(const Reading& reading, const Model& model) {
  const std::optional<Keys> table = reading.keys.table_of_positions("rope_parameters");
  if (!table) return;
  const std::optional<double> beta = table->number({"llama_4_scaling_beta"}, "query temperature");
  table->pass_over({"max_position_embeddings"});
  const data::Value* length = model.kinds.front().set.find("original_max_position_embeddings");
  if (!beta || !length) return;
  const LayerKind also{
      .scheme = "query-temperature",
      .set = {{"form", std::string("ministral3")}, {"scale", *beta}, {"length", data::number(*length, "length")}}};
  reading.keys.ledger().limit(Limit::Kind::also, variant_text(also));
}

// Llama 4's queries of layers that do not rotate are scaled by their position.
LayerKind unrotated(const Reading& reading, const Sizes& sizes) {
  const Keys& keys = reading.keys;
  LayerKind kind = no_positions("no_rope", sizes);
  if (reading.family.types.empty() || reading.family.types.front() != "llama4_text") return kind;
  constexpr const char* tuning = "attn_temperature_tuning";  // 4 in the first release, which transformers 5 refuses
  if (reading.form == Form::transformers_5 && keys.has(tuning) && !keys.object()[tuning].is_boolean())
    throw wrong_value(keys.path() + tuning, keys.object()[tuning], "true or false");
  if (!keys.flag({tuning}, "query temperature").value_or(true)) return kind;
  kind.scheme = "query-temperature";
  kind.set.set("form", std::string("llama4"));
  kind.set.set("scale", keys.number({"attn_scale"}, "scale").value_or(0.1));
  kind.set.set("length", keys.positive({"floor_scale"}, "length").value_or(8192));
  return kind;
}

// "rope" or "no_rope" of each layer.
std::vector<std::string> rotating_layers(const Reading& reading) {
  const Keys& keys = reading.keys;
  const std::int64_t count = keys.required_count({"num_hidden_layers"}, "layers");
  constexpr std::int64_t max_layers = 10000;
  if (count > max_layers) throw not_served(fmt::format("{} layers: a model has at most {}", count, max_layers));
  std::vector<std::string> types;
  const bool listed = keys.has("no_rope_layers") && !keys.object()["no_rope_layers"].empty();
  if (!listed) {
    keys.pass_over({"no_rope_layers"});
    const std::optional<std::int64_t> written = keys.count({"no_rope_layer_interval"}, "layers that rotate");
    const std::int64_t interval = written.value_or(reading.family.interval);
    if (!written) keys.ledger().assume("layers from one that does not rotate to the next", std::to_string(interval));
    for (std::int64_t layer = 0; layer < count; ++layer)
      types.push_back((layer + 1) % interval != 0 ? "rope" : "no_rope");
    return types;
  }
  keys.pass_over({"no_rope_layer_interval"});
  const std::optional<std::vector<double>> rotates = keys.numbers({"no_rope_layers"}, "layers that rotate");
  if (static_cast<std::int64_t>(rotates->size()) != count)
    throw not_served(fmt::format("no_rope_layers has {} numbers for {} layers", rotates->size(), count));
  for (const double one : *rotates) types.push_back(one != 0 ? "rope" : "no_rope");
  return types;
}

void require_sections(const std::vector<double>& sections, std::int64_t planes) {
  double sum = 0;
  bool good = sections.size() == 3;
  for (const double one : sections) good = good && one >= 0, sum += one;
  if (!good || sum != static_cast<double>(planes))
    throw not_served(fmt::format("mrope_section must be three numbers from 0 that sum to the {} planes", planes));
}

// Which types of layers have no attention at all.
bool has_no_attention(const std::string& type) { return type == "linear_attention" || type == "conv"; }

// Schemes that need a window for any layer to differ: without one every layer rotates.
bool rotates_everywhere(const Reading& reading) {
  const bool of_exaone = !reading.family.types.empty() && reading.family.types.front() == "exaone4";
  return of_exaone && !reading.keys.has("sliding_window");
}

template <class Rotating>
void add_by_layer(const Reading& reading, Model& model, const Sizes& sizes, const Rotating& rotating_kind) {
  const Family& family = reading.family;
  if (family.layers == Layers::same || rotates_everywhere(reading)) {
    model.kinds.push_back(rotating_kind(family.ladders.front(), std::string()));
    return;
  }
  if (family.layers == Layers::no_rope_list) {
    add_layers(model, rotating_layers(reading), [&](const std::string& type) {
      return type == "rope" ? rotating_kind(family.ladders.front(), type) : unrotated(reading, sizes);
    });
    return;
  }
  add_layers(model, layer_types(reading), [&](const std::string& type) {
    if (type.empty()) throw not_served("layer_types has an empty word");
    if (has_no_attention(type)) reading.keys.ledger().limit(Limit::Kind::no_attention, type);
    const Ladder* ladder = ladder_of(family, type);
    return ladder ? rotating_kind(*ladder, type) : no_positions(type, sizes);
  });
}

}  // namespace

LayerKind no_positions(const std::string& name, const Sizes& sizes) {
  return {.name = name, .scheme = "none", .heads = sizes.heads, .head_width = sizes.head_width};
}

const Ladder* ladder_of(const Family& family, const std::string& type) {
  for (const Ladder& ladder : family.ladders)
    if (ladder.type == type) return &ladder;
  return nullptr;
}

void read_rotary(const Reading& reading, Model& model) {
  const Sizes sizes = sizes_of(reading);
  model.max_positions = max_positions(reading);
  add_by_layer(reading, model, sizes,
               [&](const Ladder& ladder, const std::string& name) { return rotating(reading, ladder, name, sizes); });
  note_attention(reading, sizes.head_width);
  if (reading.form == Form::transformers_5) note_query_temperature(reading, model);
}

void read_m_rope(const Reading& reading, Model& model) {
  const Sizes sizes = sizes_of(reading);
  model.max_positions = max_positions(reading);
  add_by_layer(reading, model, sizes, [&](const Ladder& ladder, const std::string& name) {
    const std::int64_t K = sizes.head_width;
    const std::optional<Rotation> rotation = rotation_of(reading, ladder, K, reading.family.ladders.size() == 1);
    if (!rotation) return no_positions(name, sizes);
    LayerKind kind{.name = name, .scheme = "m-rope", .heads = sizes.heads, .head_width = K};
    kind.set.set("base", rotation->base);
    kind.set.set("style", std::string(reading.family.interleaved ? "interleaved" : "half-split"));
    kind.set.set("order", std::string(reading.family.in_turns ? "interleaved" : "sections"));
    if (rotation->width != K) kind.set.set("rotary_width", rotation->width);
    const std::optional<std::vector<double>> sections =
        rotation->table ? rotation->table->numbers({"mrope_section"}, "sections") : std::nullopt;
    if (rotation->table) rotation->table->pass_over({"mrope_interleaved"});
    if (!sections) reading.keys.ledger().assume("mrope_section", "that of the family");
    kind.set.set("sections", sections.value_or(reading.family.sections));
    require_sections(kind.set.list("sections"), rotation->width / 2);
    if (rotation->scaling != "default" && rotation->scaling != "mrope")
      reading.keys.ledger().limit(Limit::Kind::scaling, rotation->scaling);
    return kind;
  });
  note_attention(reading, sizes.head_width);
}

void read_fixed_rotary(const Reading& reading, Model& model) {
  const Sizes sizes = sizes_of(reading);
  model.max_positions = max_positions(reading);
  const std::optional<std::int64_t> written = reading.keys.count({"rotary_dim"}, "rotary_width");
  if (!written) reading.keys.ledger().assume("rotary_dim", "64");
  const std::int64_t rotated = written.value_or(64);
  if (rotated > sizes.head_width || rotated % 2 != 0)
    throw not_served(fmt::format("rotary_dim is {}, but must be even, and at most the width of a head, {}", rotated,
                                 sizes.head_width));
  LayerKind kind{.scheme = "rope", .heads = sizes.heads, .head_width = sizes.head_width};
  kind.set.set("base", 1e4);
  kind.set.set("style", std::string("interleaved"));
  if (rotated != sizes.head_width) kind.set.set("rotary_width", rotated);
  reading.keys.ledger().assume("base", "10000");
  model.kinds.push_back(std::move(kind));
}

}  // namespace poslab::importing
