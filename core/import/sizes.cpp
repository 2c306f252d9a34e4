// SPDX-License-Identifier: Apache-2.0
// Sizes and kinds that readers share.
#include <fmt/format.h>

#include "families.hpp"

namespace poslab::importing {
namespace {

constexpr Keys::Names names_of_max_positions{"max_position_embeddings", "n_positions", "max_seq_len",
                                             "max_sequence_length",     "n_ctx",       "seq_length"};

}  // namespace

LayerKind kind_of(const char* scheme, const Sizes& sizes) {
  return {.scheme = scheme, .heads = sizes.heads, .head_width = sizes.head_width};
}

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
      throw not_served(fmt::format("{} heads do not divide the width {}, and no head_dim says how wide a head is",
                                   sizes.heads, sizes.width));
    sizes.head_width = sizes.width / sizes.heads;
  }
  if (const std::int64_t max_width = 1 << 20; sizes.heads * sizes.head_width > max_width)
    throw not_served(fmt::format("{} heads of width {}: a study's model is at most {} wide", sizes.heads,
                                 sizes.head_width, max_width));
  if (sizes.heads * sizes.head_width != sizes.width)
    keys.ledger().limit(Limit::Kind::width, "", static_cast<double>(sizes.width));
  return sizes;
}

std::int64_t max_positions(const Reading& reading) {
  return reading.keys.count(names_of_max_positions, "positions served").value_or(0);
}

std::int64_t required_positions(const Reading& reading) {
  return reading.keys.required_count(names_of_max_positions, "max_length");
}

void add_table(const Reading& reading, Model& model, std::int64_t rows, std::int64_t row_offset) {
  if (constexpr std::int64_t max_rows = 1 << 24; rows < 1 || rows + row_offset > max_rows)
    throw not_served(fmt::format("a table of {} rows: a learned one has 1 to {}", rows, max_rows));
  LayerKind kind = kind_of("learned", sizes_of(reading));
  kind.set.set("max_length", rows);
  if (row_offset > 0) kind.set.set("row_offset", row_offset);
  model.max_positions = rows;
  model.kinds.push_back(std::move(kind));
}

}  // namespace poslab::importing
