// SPDX-License-Identifier: Apache-2.0
// What a configuration says of attention that is in no scheme: windows, and logits that are scaled otherwise.
// Dimension letters: K head width.
#include <cmath>

#include "families.hpp"

namespace poslab::importing {
namespace {

void note_window(const Reading& reading) {
  const char* key = reading.family.window_key;
  const bool slides = reading.keys.flag({"use_sliding_window"}, "").value_or(true);
  if (const std::optional<double> window = reading.keys.number({key}, ""); window && *window > 0 && slides)
    reading.keys.ledger().limit(Limit::Kind::window, key, *window);
}

}  // namespace

void note_logit_factor(const Reading& reading, const std::string& key, double factor, std::int64_t K) {
  constexpr double rounding = 1e-6;  // of K^-1/2 in decimals
  if (std::abs(factor * std::sqrt(static_cast<double>(K)) - 1) > rounding)
    reading.keys.ledger().limit(Limit::Kind::logit_factor, key, factor);
}

void note_attention(const Reading& reading, std::int64_t K) {
  const Keys& keys = reading.keys;
  note_window(reading);
  const std::optional<double> scalar = keys.positive({"query_pre_attn_scalar"}, "");
  if (scalar && *scalar != static_cast<double>(K))
    keys.ledger().limit(Limit::Kind::logit_scale, "query_pre_attn_scalar", *scalar);
  if (const std::optional<double> factor = keys.positive({"attention_multiplier"}, ""))
    note_logit_factor(reading, "attention_multiplier", *factor, K);
  else if (reading.family.logit_factor > 0)
    note_logit_factor(reading, "", reading.family.logit_factor, K);
  if (!keys.flag({"scale_attn_weights"}, "").value_or(true)) note_logit_factor(reading, "scale_attn_weights", 1, K);
  if (constexpr const char* by_layer = "scale_attn_by_inverse_layer_idx"; keys.flag({by_layer}, "").value_or(false))
    keys.ledger().limit(Limit::Kind::logit_by_layer, by_layer);
}

}  // namespace poslab::importing
