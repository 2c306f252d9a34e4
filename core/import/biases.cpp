// SPDX-License-Identifier: Apache-2.0
// Readers of models that add to logits by distance.
#include <fmt/format.h>

#include "families.hpp"

namespace poslab::importing {
namespace {

// Without buckets each offset has a row of its own, up to m: as with buckets so many that none is shared before `span`
// ends the table.
void set_buckets(data::Values& set, double buckets, std::int64_t m) {
  constexpr std::int64_t max_buckets = 1 << 20;
  const bool has_some = buckets >= 2 && buckets <= static_cast<double>(max_buckets);
  const std::int64_t b = has_some ? static_cast<std::int64_t>(buckets) : 2 * m;
  if ((buckets >= 1 && !has_some) || b > max_buckets || (has_some && m <= b / 2 + 1))
    throw not_served(
        fmt::format("{} position_buckets and max_relative_positions = {}: deberta has 2 to {} buckets, and "
                    "positions beyond half of them",
                    buckets, m, max_buckets));
  set.set("position_buckets", b);
  set.set("max_relative_positions", has_some ? m : m + 2);
  if (!has_some) set.set("span", m);
}

// DeBERTa's terms: "c2p|p2c", or a list of these words.
std::string kinds_of_terms(const Keys& keys) {
  constexpr const char* meaning = "content_to_position, position_to_content";
  if (!keys.has("pos_att_type") || !keys.object()["pos_att_type"].is_array())
    return keys.text({"pos_att_type"}, meaning).value_or("");
  const std::optional<std::vector<std::string>> listed = keys.texts({"pos_att_type"}, meaning);
  return fmt::format("{}", fmt::join(*listed, "|"));
}

}  // namespace

void read_alibi(const Reading& reading, Model& model) {
  LayerKind kind = kind_of("alibi", sizes_of(reading));
  reading.keys.pass_over({"alibi", "use_alibi"});
  model.max_positions = max_positions(reading);
  model.kinds.push_back(std::move(kind));
}

void read_falcon(const Reading& reading, Model& model) {
  if (!reading.keys.flag({"alibi"}, "scheme").value_or(false)) return read_rotary(reading, model);
  read_alibi(reading, model);
  reading.keys.ledger().limit(Limit::Kind::bias_scale, "", static_cast<double>(model.kinds.front().head_width));
}

void read_mpt(const Reading& reading, Model& model) {
  const std::optional<Keys> attention = reading.keys.table("attn_config");
  const bool rotates = attention && attention->flag({"rope"}, "scheme").value_or(false);
  if (rotates) throw not_served("attn_config.rope of MPT: how it rotates is not known here");
  const std::optional<bool> alibi = attention ? attention->flag({"alibi"}, "scheme") : std::nullopt;
  if (!alibi) reading.keys.ledger().assume("alibi", "true");
  if (!alibi.value_or(true)) return add_table(reading, model, required_positions(reading), 0);
  reading.keys.pass_over({"learned_pos_emb"});
  read_alibi(reading, model);
  if (!attention) return;
  if (const std::optional<double> bound = attention->positive({"alibi_bias_max"}, "alibi_bias_max"))
    model.kinds.front().set.set("alibi_bias_max", *bound);
  if (const std::optional<double> factor = attention->positive({"softmax_scale"}, ""))
    note_logit_factor(reading, "attn_config.softmax_scale", *factor, model.kinds.front().head_width);
}

void read_t5(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  const Sizes sizes = sizes_of(reading);
  LayerKind decoder = kind_of("t5", sizes);
  decoder.name = "decoder";
  const std::optional<std::int64_t> buckets = keys.count({"relative_attention_num_buckets"}, "buckets");
  const std::optional<std::int64_t> distance = keys.count({"relative_attention_max_distance"}, "max_distance");
  if (!buckets) keys.ledger().assume("buckets", "32");
  if (!distance) keys.ledger().assume("max_distance", "128");
  if (buckets.value_or(32) < 2 || buckets.value_or(32) > 65536 || distance.value_or(128) > (1 << 20))
    throw not_served(fmt::format("{} buckets up to distance {}: the scheme t5 has 2 to 65536, up to 1048576",
                                 buckets.value_or(32), distance.value_or(128)));
  decoder.set.set("buckets", buckets.value_or(32));
  decoder.set.set("max_distance", distance.value_or(128));
  if (reading.family.bias_per_layer) decoder.set.set("per_layer", true);
  LayerKind encoder = decoder;
  encoder.name = "encoder";
  encoder.set.set("bidirectional", true);
  model.max_positions = max_positions(reading);
  model.kinds = {encoder, decoder};
}

void read_deberta(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  if (!keys.flag({"relative_attention"}, "scheme").value_or(false))
    return add_table(reading, model, required_positions(reading), 0);
  LayerKind kind = kind_of("deberta", sizes_of(reading));
  model.max_positions = max_positions(reading);
  const double written = keys.number({"max_relative_positions"}, "max_relative_positions").value_or(-1);
  const auto relative =
      static_cast<std::int64_t>(written >= 1 && written < 1e9 ? written : static_cast<double>(model.max_positions));
  if (relative < 1) throw missing({"max_position_embeddings"}, "where relative positions end");
  const double buckets = keys.number({"position_buckets"}, "position_buckets").value_or(-1);
  set_buckets(kind.set, buckets, relative);
  const std::string types = kinds_of_terms(keys);
  kind.set.set("content_to_position", types.find("c2p") != std::string::npos);
  kind.set.set("position_to_content", types.find("p2c") != std::string::npos);
  if (types.find("c2p") == std::string::npos && types.find("p2c") == std::string::npos)
    throw not_served("pos_att_type names neither c2p nor p2c: no position enters a logit");
  if (keys.flag({"position_biased_input"}, "scheme").value_or(true)) {
    const LayerKind also{.scheme = "learned", .set = {{"max_length", model.max_positions}}};
    keys.ledger().limit(Limit::Kind::also, variant_text(also));
  }
  if (keys.flag({"share_att_key"}, "").value_or(false)) keys.ledger().limit(Limit::Kind::projections_shared);
  model.kinds.push_back(std::move(kind));
}

}  // namespace poslab::importing
