// SPDX-License-Identifier: Apache-2.0
// Dimension letters: K head width, R rotated channels.
#include "rotary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "poslab/base/text.hpp"

namespace poslab::importing {
namespace {

struct Table {
  std::optional<Keys> keys = {};
  bool by_layer = false;
  bool none = false;  // null for these layers: they do not rotate
};

Table of_layers(const std::optional<Keys>& outer, const Ladder& ladder, bool of_all) {
  if (!outer) return {};
  if (!ladder.type.empty() && outer->object().contains(ladder.type)) {
    if (!outer->has(ladder.type.c_str())) return {.by_layer = true, .none = true};
    return {.keys = outer->table_of_positions(ladder.type.c_str()), .by_layer = true};
  }
  return of_all ? Table{.keys = outer} : Table{};
}

// Transformers 4 knows `rope_scaling` alone; 5 takes it for `rope_parameters` where there are both.
Table table_of(const Reading& reading, const Ladder& ladder, bool of_all) {
  const Keys& keys = reading.keys;
  if (keys.has("rope_scaling") && !keys.object()["rope_scaling"].empty()) {
    const std::optional<Keys> outer = keys.table_of_positions("rope_scaling");
    if (ladder.scaled) return of_layers(outer, ladder, true);
    if (of_all) return {};
  }
  if (reading.form == Form::transformers_4) return {};
  return of_layers(keys.table_of_positions("rope_parameters"), ladder, of_all);
}

std::optional<double> base_by_old_names(const Reading& reading, const Ladder& ladder) {
  if (reading.form == Form::transformers_5 && ladder.base_keys_of_4_only) return {};
  for (const char* name : ladder.base_keys)
    if (const std::optional<double> base = reading.keys.positive({name}, "base")) return base;
  return {};
}

double base_of(const Reading& reading, const Ladder& ladder, const std::optional<Keys>& table) {
  if (reading.form == Form::transformers_5 && table)
    if (const std::optional<double> base = table->positive({"rope_theta"}, "base")) return *base;
  if (const std::optional<double> base = base_by_old_names(reading, ladder)) return *base;
  const bool newer = reading.form == Form::transformers_5 && ladder.base_of_5 > 0;
  const double base = newer ? ladder.base_of_5 : ladder.base;
  reading.keys.ledger().assume("base", base::shortest(base));
  return base;
}

std::optional<double> part_of(const Reading& reading, const std::optional<Keys>& table) {
  constexpr const char* meaning = "rotary_width";
  if (reading.form == Form::transformers_5 && table)
    if (const std::optional<double> part = table->positive({"partial_rotary_factor"}, meaning)) return part;
  return reading.keys.positive({"partial_rotary_factor", "rotary_pct"}, meaning);
}

std::int64_t rotated_channels(const Reading& reading, const Ladder& ladder, const std::optional<Keys>& table,
                              std::int64_t head_width, double& part) {
  const std::optional<double> given = part_of(reading, table);
  const std::optional<std::int64_t> width =
      given ? std::nullopt : reading.keys.count({"rotary_dim", "rotary_ndims"}, "rotary_width");
  if (given) reading.keys.pass_over({"rotary_dim", "rotary_ndims"});
  part = given.value_or(width ? static_cast<double>(*width) / static_cast<double>(head_width) : ladder.part);
  if (!given && !width && ladder.part != 1)
    reading.keys.ledger().assume("part of a head that rotates", base::shortest(ladder.part));
  const double R = width ? static_cast<double>(*width) : std::floor(part * static_cast<double>(head_width));
  if (R > static_cast<double>(head_width) || std::fmod(R, 2) != 0 || R == 0)
    throw not_served(
        fmt::format("{} of the {} channels of a head would rotate; pairs of channels do: an even number, "
                    "from 2 to {}",
                    base::shortest(R), head_width, head_width));
  return static_cast<std::int64_t>(R);
}

}  // namespace

std::optional<Rotation> rotation_of(const Reading& reading, const Ladder& ladder, std::int64_t head_width,
                                    bool of_all) {
  const Table table = table_of(reading, ladder, of_all);
  if (table.none) return {};
  Rotation rotation;
  rotation.table = table.keys, rotation.in_a_layers_table = table.by_layer;
  rotation.base = base_of(reading, ladder, table.keys);
  rotation.width = rotated_channels(reading, ladder, table.keys, head_width, rotation.part);
  rotation.scaling = ladder.scaling ? ladder.scaling : "default";
  if (table.keys) {
    if (const std::optional<std::string> name = table.keys->text({"rope_type", "type"}, "scaling"))
      rotation.scaling = *name;
    table.keys->pass_over({"type"});
  }
  return rotation;
}

std::vector<std::string> layer_types(const Reading& reading) {
  const Keys& keys = reading.keys;
  const Family& family = reading.family;
  const std::optional<std::vector<std::string>> listed = keys.texts({"layer_types"}, "kinds of layers");
  const std::int64_t count = keys.required_count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, "layers");
  constexpr std::int64_t max_layers = 10000;
  if (count > max_layers || (listed && static_cast<std::int64_t>(listed->size()) != count))
    throw not_served(listed ? fmt::format("layer_types has {} words for {} layers", listed->size(), count)
                            : fmt::format("{} layers: a model has at most {}", count, max_layers));
  if (listed) {
    keys.pass_over({"sliding_window_pattern", "global_attn_every_n_layers", "full_attention_interval"});
    return *listed;
  }
  const std::optional<std::int64_t> written = keys.count(
      {"sliding_window_pattern", "global_attn_every_n_layers", "full_attention_interval"}, "kinds of layers");
  if (!written && family.interval == 0) throw missing({"layer_types"}, "which layers are of which kind");
  const std::int64_t interval = written.value_or(family.interval);
  if (!written) keys.ledger().assume("layers from one with full attention to the next", std::to_string(interval));
  std::vector<std::string> types;
  for (std::int64_t layer = 0; layer < count; ++layer) {
    const bool full = (layer + (family.first_is_full ? 0 : 1)) % interval == 0;
    types.push_back(full ? "full_attention" : family.other_type);
  }
  return types;
}

}  // namespace poslab::importing
