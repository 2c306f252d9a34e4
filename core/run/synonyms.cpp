// SPDX-License-Identifier: Apache-2.0
#include "synonyms.hpp"

namespace poslab::run {
namespace {

using Kind = Hit::Kind;

struct OtherWords {
  Kind kind;
  const char *name, *owner;
  std::vector<std::string> words;
};

const std::vector<OtherWords>& list() {
  static const std::vector<OtherWords> rows{
      {Kind::scheme, "none", "", {"NoPE", "no positional encoding", "no position embedding", "no positions"}},
      {Kind::scheme, "sinusoidal", "", {"sin-cos", "sincos", "vanilla positional encoding"}},
      {Kind::scheme, "learned", "", {"wpe", "position embedding table", "learned position embedding"}},
      {Kind::scheme, "rope", "", {"rotary", "rotary position embedding", "rotate_half", "apply_rotary_pos_emb"}},
      {Kind::scheme, "rope-2d", "", {"axial RoPE", "vision RoPE"}},
      {Kind::scheme, "m-rope", "", {"multimodal RoPE", "mrope"}},
      {Kind::scheme, "grape", "", {"LieRE"}},
      {Kind::scheme, "alibi", "", {"linear biases", "linear bias"}},
      {Kind::scheme, "t5", "", {"relative position buckets", "relative_attention_bias"}},
      {Kind::scheme, "shaw", "", {"relative position representations"}},
      {Kind::scheme, "deberta", "", {"disentangled attention"}},
      {Kind::scheme, "swin", "", {"relative position bias table"}},
      {Kind::scheme, "fox", "", {"forgetting transformer", "forget gate"}},
      {Kind::parameter, "base", "rope", {"theta", "rope_theta", "rotary_emb_base", "rope_freq_base"}},
      {Kind::parameter, "rotary_width", "rope", {"rotary_dim", "head_dim"}},
      {Kind::parameter, "rotary_part", "rope", {"partial_rotary_factor", "rotary_pct", "rope_pct", "partial rotary"}},
      {Kind::parameter,
       "scaling",
       "rope",
       {"rope_scaling", "rope_type", "position interpolation", "PI", "YaRN", "NTK"}},
      {Kind::parameter, "style", "rope", {"interleaved", "half-split", "neox style", "GPT-J style"}},
      {Kind::parameter, "base", "sinusoidal", {"theta", "wavelength base", "max wavelength"}},
      {Kind::parameter, "max_length", "learned", {"max_position_embeddings", "n_positions", "n_ctx", "block_size"}},
      {Kind::parameter, "buckets", "t5", {"relative_attention_num_buckets", "num_buckets"}},
      {Kind::parameter, "max_distance", "t5", {"relative_attention_max_distance"}},
      {Kind::parameter, "clip", "shaw", {"max_relative_position", "max_relative_positions"}},
      {Kind::experiment, "extrapolation", "", {"length extrapolation", "train short test long"}},
      {Kind::experiment, "length-generalisation", "", {"length generalization", "OOD length"}},
      {Kind::experiment, "cache-consistency", "", {"KV cache", "key value cache", "past_key_values"}},
      {Kind::experiment, "relative-shift", "", {"shift invariance", "translation invariance"}},
      {Kind::experiment, "distance-profile", "", {"long-term decay", "locality bias", "recency bias"}},
      {Kind::experiment, "first-position-bias", "", {"attention sink", "primacy bias"}},
      {Kind::experiment, "u-shape", "", {"lost in the middle"}},
      {Kind::experiment, "precision", "", {"bf16", "fp16", "half precision", "bfloat16"}},
      {Kind::experiment, "language-model", "", {"perplexity", "PPL"}},
      {Kind::axis, "train_length", "extrapolation", {"context window", "max_seq_len"}},
      {Kind::axis, "length", "uniqueness", {"sequence length", "seq_len", "context length"}}};
  return rows;
}

}  // namespace

std::vector<std::string> synonyms_of(Kind kind, const std::string& name, const std::string& owner) {
  for (const OtherWords& row : list())
    if (row.kind == kind && row.name == name && row.owner == owner) return row.words;
  return {};
}

std::vector<std::string> synonyms_of(data::Family family) {
  switch (family) {
    case data::Family::additive: return {"APE", "absolute positional encoding", "absolute position embedding"};
    case data::Family::bias: return {"RPE", "RPB", "relative position encoding", "relative position bias"};
    case data::Family::relative_vectors: return {"RPE", "relative position encoding", "relative position embedding"};
    default: return {};
  }
}

std::vector<Renamed> renamed() {
  std::vector<Renamed> things;
  for (const OtherWords& row : list()) things.push_back({row.kind, row.name, row.owner});
  return things;
}

}  // namespace poslab::run
