// SPDX-License-Identifier: Apache-2.0
// Readers of models that add a table, or a bias to the logits; images.
#include <fmt/format.h>

#include <algorithm>

#include "families.hpp"
#include "poslab/base/text.hpp"
#include "rotary.hpp"

namespace poslab::importing {
namespace {

constexpr Keys::Names names_of_max_positions{"max_position_embeddings", "n_positions", "max_seq_len",
                                             "max_sequence_length",     "n_ctx",       "seq_length"};

LayerKind kind_of(const char* scheme, const Sizes& sizes) {
  return {.scheme = scheme, .heads = sizes.heads, .head_width = sizes.head_width};
}

std::int64_t required_positions(const Reading& reading) {
  return reading.keys.required_count(names_of_max_positions, "max_length");
}

void add_table(const Reading& reading, Model& model, std::int64_t rows, std::int64_t row_offset) {
  if (constexpr std::int64_t max_rows = 1 << 24; rows < 1 || rows + row_offset > max_rows)
    throw base::Error(base::Error::Kind::request,
                      fmt::format("a table of {} rows: a learned one has 1 to {}", rows, max_rows));
  LayerKind kind = kind_of("learned", sizes_of(reading));
  kind.set.set("max_length", rows);
  if (row_offset > 0) kind.set.set("row_offset", row_offset);
  model.max_positions = rows;
  model.kinds.push_back(std::move(kind));
}

// A convolution's patches along both sides of an image.
std::vector<std::int64_t> patches(const Keys& keys, std::int64_t usual_patch) {
  const std::optional<std::vector<std::int64_t>> image = keys.pair({"image_size"}, "positions");
  const std::optional<std::vector<std::int64_t>> patch = keys.pair({"patch_size"}, "positions");
  if (!image) throw missing({"image_size"}, "how many patches an image has");
  if (!patch) keys.ledger().assume("patch_size", std::to_string(usual_patch));
  const std::vector<std::int64_t> size = patch.value_or(std::vector<std::int64_t>(2, usual_patch));
  std::vector<std::int64_t> grid;
  for (const std::size_t side : {0, 1}) grid.push_back((*image)[side] / size[side]);
  if (*std::min_element(grid.begin(), grid.end()) < 1 || grid[0] * grid[1] > (1 << 20))
    throw base::Error(base::Error::Kind::request,
                      fmt::format("image_size and patch_size give {} x {} patches", grid[0], grid[1]));
  return grid;
}

// Without buckets each offset has a row of its own, up to m: as with buckets so many that none is shared before `span`
// ends the table.
void set_buckets(data::Values& set, double buckets, std::int64_t m) {
  constexpr std::int64_t max_buckets = 1 << 20;
  const bool has_some = buckets >= 2 && buckets <= static_cast<double>(max_buckets);
  const std::int64_t b = has_some ? static_cast<std::int64_t>(buckets) : 2 * m;
  if ((buckets >= 1 && !has_some) || b > max_buckets || (has_some && m <= b / 2 + 1))
    throw base::Error(
        base::Error::Kind::request,
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

Sizes sizes_of(const Reading& reading, std::int64_t own_width) {
  const Keys& keys = reading.keys;
  Sizes sizes{.width = keys.required_count({"hidden_size", "n_embd", "d_model", "n_embed", "dim"}, "the model's width"),
              .heads = keys.required_count({"num_attention_heads", "n_head", "n_heads", "num_heads",
                                            "decoder_attention_heads", "encoder_attention_heads"},
                                           "heads"),
              .head_width = own_width};
  const std::optional<std::int64_t> written =
      own_width > 0 ? std::nullopt : keys.count({"head_dim", "d_kv"}, "head width");
  if (written) sizes.head_width = *written;
  if (sizes.head_width == 0 && reading.family.head_width > 0) {
    sizes.head_width = reading.family.head_width;
    keys.ledger().assume("head_dim", std::to_string(sizes.head_width));
  }
  if (sizes.head_width == 0) {
    if (sizes.width % sizes.heads != 0)
      throw base::Error(base::Error::Kind::request,
                        fmt::format("{} heads do not divide the width {}, and no head_dim says how wide a head is",
                                    sizes.heads, sizes.width));
    sizes.head_width = sizes.width / sizes.heads;
  }
  if (const std::int64_t max_width = 1 << 20; sizes.heads * sizes.head_width > max_width)
    throw base::Error(base::Error::Kind::request,
                      fmt::format("{} heads of width {}: a study's model is at most {} wide", sizes.heads,
                                  sizes.head_width, max_width));
  if (sizes.heads * sizes.head_width != sizes.width)
    keys.ledger().limit(Limit::Kind::width, "", static_cast<double>(sizes.width));
  return sizes;
}

std::int64_t max_positions(const Reading& reading) {
  return reading.keys.count(names_of_max_positions, "positions served").value_or(0);
}

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
  if (rotates)
    throw base::Error(base::Error::Kind::request, "attn_config.rope of MPT: how it rotates is not known here");
  const std::optional<bool> alibi = attention ? attention->flag({"alibi"}, "scheme") : std::nullopt;
  if (!alibi) reading.keys.ledger().assume("alibi", "true");
  if (!alibi.value_or(true)) return add_table(reading, model, required_positions(reading), 0);
  reading.keys.pass_over({"learned_pos_emb"});
  read_alibi(reading, model);
  if (attention)
    if (const std::optional<double> bound = attention->positive({"alibi_bias_max"}, "alibi_bias_max"))
      model.kinds.front().set.set("alibi_bias_max", *bound);
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
    throw base::Error(base::Error::Kind::request,
                      fmt::format("{} buckets up to distance {}: the scheme t5 has 2 to 65536, up to 1048576",
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
    throw base::Error(base::Error::Kind::request, "pos_att_type names neither c2p nor p2c: no position enters a logit");
  if (keys.flag({"position_biased_input"}, "scheme").value_or(true)) {
    const LayerKind also{.scheme = "learned", .set = {{"max_length", model.max_positions}}};
    keys.ledger().limit(Limit::Kind::also, variant_text(also));
  }
  if (keys.flag({"share_att_key"}, "").value_or(false)) keys.ledger().limit(Limit::Kind::projections_shared);
  model.kinds.push_back(std::move(kind));
}

void read_learned(const Reading& reading, Model& model) {
  reading.keys.pass_over({"sinusoidal_pos_embds", "n_ctx"});
  add_table(reading, model, required_positions(reading), reading.family.row_offset);
}

// Transformers 5 reads position_embedding_type no more.
void read_bert(const Reading& reading, Model& model) {
  const std::string type = reading.form == Form::transformers_4
                               ? reading.keys.text({"position_embedding_type"}, "scheme").value_or("absolute")
                               : "absolute";
  if (type == "absolute") return add_table(reading, model, required_positions(reading), 0);
  if (type != "relative_key" && type != "relative_key_query")
    throw base::Error(
        base::Error::Kind::request,
        fmt::format("position_embedding_type is {}, but absolute, relative_key and relative_key_query are "
                    "all that are known",
                    base::quoted(type)));
  LayerKind kind = kind_of("bert-relative", sizes_of(reading));
  kind.set.set("form", std::string(type == "relative_key" ? "key" : "key-query"));
  kind.set.set("max_length", required_positions(reading));
  if (kind.set.integer("max_length") > (1 << 20))
    throw base::Error(base::Error::Kind::request,
                      "max_position_embeddings: bert-relative has at most 1048576 positions");
  model.max_positions = kind.set.integer("max_length");
  model.kinds.push_back(std::move(kind));
}

// The rows up to that of the padding token belong to no position, and max_position_embeddings counts them.
void read_roberta(const Reading& reading, Model& model) {
  const std::optional<double> padding = reading.keys.number({"pad_token_id"}, "row_offset");
  if (!padding) reading.keys.ledger().assume("pad_token_id", "1");
  const std::int64_t offset = static_cast<std::int64_t>(padding.value_or(1)) + 1, rows = required_positions(reading);
  if (offset < 1 || offset >= rows)
    throw base::Error(base::Error::Kind::request, fmt::format("pad_token_id leaves no row of {} for a position", rows));
  if (reading.keys.has("position_embedding_type") &&
      reading.keys.text({"position_embedding_type"}, "scheme") != "absolute")
    return read_bert(reading, model);
  add_table(reading, model, rows - offset, offset);
}

void read_whisper(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  LayerKind encoder = kind_of("sinusoidal", sizes_of(reading));
  encoder.name = "encoder";
  encoder.set.set("layout", std::string("timing-signal"));
  encoder.set.set("max_timescale", 1e4);
  LayerKind decoder = kind_of("learned", sizes_of(reading));
  decoder.name = "decoder";
  decoder.set.set("max_length", keys.required_count({"max_target_positions"}, "max_length"));
  model.max_positions = keys.count({"max_source_positions"}, "positions served").value_or(0);
  model.kinds = {encoder, decoder};
}

void read_vit(const Reading& reading, Model& model) {
  const std::vector<std::int64_t> grid = patches(reading.keys, 16);
  const bool of_deit = !reading.family.types.empty() && reading.keys.object().value("model_type", "") == "deit";
  add_table(reading, model, grid[0] * grid[1] + (of_deit ? 2 : 1), 0);
  reading.keys.ledger().limit(Limit::Kind::resampled);
}

void read_dinov3(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  LayerKind kind = kind_of("axial-normalised", sizes_of(reading));
  const std::optional<double> base = keys.positive({"rope_theta"}, "base");
  if (!base) keys.ledger().assume("base", "100");
  model.grid = patches(keys, 16);
  kind.set.set("base", base.value_or(100));
  kind.set.set("grid", std::vector<double>(model.grid.begin(), model.grid.end()));
  keys.pass_over({"pos_embed_shift", "pos_embed_jitter", "pos_embed_rescale"});  // of training
  keys.ledger().limit(Limit::Kind::unrotated_tokens);
  model.kinds.push_back(std::move(kind));
}

// Its stages double width and heads, so that a head stays as wide; the first is taken.
void read_swin(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  const std::int64_t width = keys.required_count({"embed_dim"}, "the model's width");
  const std::optional<std::vector<double>> heads = keys.numbers({"num_heads"}, "heads");
  const std::optional<std::vector<std::int64_t>> window = keys.pair({"window_size"}, "window");
  if (!heads) throw missing({"num_heads"}, "heads");
  if (!window) throw missing({"window_size"}, "which patches attend to each other");
  if (std::max(window->front(), window->back()) > 1024)
    throw base::Error(base::Error::Kind::request, "window_size: swin has windows of at most 1024 patches a side");
  const double given = heads->front();
  const auto first = static_cast<std::int64_t>(given >= 1 && given <= static_cast<double>(width) ? given : 0);
  if (first == 0 || width % first != 0)
    throw base::Error(base::Error::Kind::request, fmt::format("{} heads do not divide the width {}", first, width));
  LayerKind kind{.scheme = "swin", .heads = first, .head_width = width / first};
  kind.set.set("window", std::vector<double>(window->begin(), window->end()));
  if (keys.object().value("model_type", "") == "swinv2") {
    kind.set.set("version", std::string("v2"));
    const std::optional<std::vector<double>> before = keys.numbers({"pretrained_window_sizes"}, "pretrained_window");
    if (before && before->front() > 0) kind.set.set("pretrained_window", std::vector<double>(2, before->front()));
  }
  if (heads->size() > 1) keys.ledger().limit(Limit::Kind::stages);
  model.grid = *window;
  model.kinds.push_back(std::move(kind));
}

}  // namespace poslab::importing
