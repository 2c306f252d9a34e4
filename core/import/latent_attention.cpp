// SPDX-License-Identifier: Apache-2.0
// Readers of DeepSeek's latent attention and its kin: the last channels of a head rotate, the others hold contents
// alone.
#include "rotary.hpp"

namespace poslab::importing {

void read_latent(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  const std::int64_t rotated = keys.required_count({"qk_rope_head_dim"}, "rotary_width");
  const std::int64_t others = keys.count({"qk_nope_head_dim"}, "head width").value_or(0);
  const Sizes sizes = sizes_of(reading, rotated + others);
  model.max_positions = max_positions(reading);
  Family family = reading.family;
  if (const std::optional<bool> interleave = keys.flag({"rope_interleave"}, "style")) family.interleaved = *interleave;
  const Reading of_style{keys, family, reading.form};
  const std::optional<Rotation> rotation = rotation_of(of_style, family.ladders.front(), rotated, true);
  LayerKind kind{.scheme = "rope", .heads = sizes.heads, .head_width = sizes.head_width};
  kind.set = rope_parameters(of_style, *rotation, rotated);
  if (others > 0) {
    kind.set.set("rotary_width", rotated);
    kind.set.set("rotary_part", std::string("last"));
  }
  keys.pass_over({"indexer_rope_interleave", "head_dim"});
  if (keys.has("indexer_rope_interleave")) keys.ledger().limit(Limit::Kind::other_part, "the indexer");
  model.kinds.push_back(std::move(kind));
}

// Layers with compressed keys rotate by another ladder than those with a window; yarn does not stretch queries and
// keys.
void read_deepseek_v4(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  const Sizes sizes = sizes_of(reading);
  model.max_positions = max_positions(reading);
  std::vector<std::string> types;
  if (const std::optional<std::vector<double>> ratios = keys.numbers({"compress_ratios"}, "kinds of layers")) {
    for (const double ratio : *ratios) types.push_back(ratio == 0 ? "main" : "compress");
    keys.pass_over({"layer_types", "num_hidden_layers"});
  } else {
    for (const std::string& type : layer_types(reading))
      types.push_back(type == "sliding_attention" ? "main" : "compress");
  }
  const std::int64_t rotated = keys.count({"qk_rope_head_dim"}, "rotary_width").value_or(0);
  Family family = reading.family;
  for (Ladder& ladder : family.ladders)
    ladder.part =
        static_cast<double>(rotated > 0 ? rotated : 64) / static_cast<double>(rotated > 0 ? sizes.head_width : 512);
  const Reading by_part{keys, family, reading.form};
  add_layers(model, types, [&](const std::string& type) {
    const Ladder& ladder = *ladder_of(family, type);
    const std::optional<Rotation> rotation = rotation_of(by_part, ladder, sizes.head_width, ladder.scaled);
    if (!rotation) return no_positions(type, sizes);
    LayerKind kind{.name = type, .scheme = "rope", .heads = sizes.heads, .head_width = sizes.head_width};
    kind.set = rope_parameters(by_part, *rotation, sizes.head_width);
    if (kind.set.contains("factor"))
      kind.set.set("attention_factor", rotation->table->positive({"attention_factor"}, "").value_or(1));
    if (rotation->width != sizes.head_width) kind.set.set("rotary_part", std::string("last"));
    return kind;
  });
  keys.ledger().limit(Limit::Kind::value_side);
  note_attention(by_part, sizes.head_width);
}

}  // namespace poslab::importing
