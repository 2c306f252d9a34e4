// SPDX-License-Identifier: Apache-2.0
// Readers of models that add a table or sines to the embedding.
#include <fmt/format.h>

#include <cmath>

#include "families.hpp"
#include "poslab/base/text.hpp"

namespace poslab::importing {
namespace {

// ALBERT and ELECTRA add positions to narrow embeddings, which are mapped to the model's width afterwards.
void note_table_width(const Reading& reading, const LayerKind& kind) {
  if (reading.family.embedding_width == 0) return;
  const std::optional<std::int64_t> written = reading.keys.count({"embedding_size"}, "the table's width");
  const std::int64_t width = written.value_or(reading.family.embedding_width);
  if (!written) reading.keys.ledger().assume("embedding_size", std::to_string(width));
  if (width != kind.heads * kind.head_width)
    reading.keys.ledger().limit(Limit::Kind::table_width, "embedding_size", static_cast<double>(width));
}

}  // namespace

void read_learned(const Reading& reading, Model& model) {
  reading.keys.pass_over({"sinusoidal_pos_embds", "n_ctx"});
  add_table(reading, model, required_positions(reading), reading.family.row_offset);
  note_attention(reading, model.kinds.back().head_width);
}

// Transformers 5 reads position_embedding_type no more.
void read_bert(const Reading& reading, Model& model) {
  const std::string type = reading.form == Form::transformers_4
                               ? reading.keys.text({"position_embedding_type"}, "scheme").value_or("absolute")
                               : "absolute";
  if (type == "absolute") {
    add_table(reading, model, required_positions(reading), 0);
    return note_table_width(reading, model.kinds.back());
  }
  if (type != "relative_key" && type != "relative_key_query")
    throw not_served(
        fmt::format("position_embedding_type is {}, but absolute, relative_key and relative_key_query are "
                    "all that are known",
                    base::quoted(type)));
  LayerKind kind = kind_of("bert-relative", sizes_of(reading));
  kind.set.set("form", std::string(type == "relative_key" ? "key" : "key-query"));
  kind.set.set("max_length", required_positions(reading));
  if (kind.set.integer("max_length") > (1 << 20))
    throw not_served("max_position_embeddings: bert-relative has at most 1048576 positions");
  model.max_positions = kind.set.integer("max_length");
  model.kinds.push_back(std::move(kind));
}

// The rows up to that of the padding token belong to no position, and max_position_embeddings counts them.
void read_roberta(const Reading& reading, Model& model) {
  const std::optional<double> padding = reading.keys.number({"pad_token_id"}, "row_offset");
  if (!padding) reading.keys.ledger().assume("pad_token_id", "1");
  const std::int64_t rows = required_positions(reading);
  const double first_row = padding.value_or(1) + 1;
  if (!(first_row >= 1 && first_row < static_cast<double>(rows)) || first_row != std::floor(first_row))
    throw not_served(
        fmt::format("pad_token_id is {}, but must be a whole number that leaves a row of {} for a position",
                    base::shortest(first_row - 1), rows));
  const auto offset = static_cast<std::int64_t>(first_row);
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

}  // namespace poslab::importing
