// SPDX-License-Identifier: Apache-2.0
// Defaults and layouts are those of Hugging Face transformers 4.57.1 and 5.24.0 (configuration_*.py, modeling_*.py of
// each family).
#include "families.hpp"

namespace poslab::importing {
namespace {

Ladder base_of(double base, double base_of_5 = 0) { return {.base = base, .base_of_5 = base_of_5}; }
Ladder part_of(double part, double base = 1e4, double base_of_5 = 0) {
  return {.base = base, .base_of_5 = base_of_5, .part = part};
}

const std::vector<Ladder> gemma_3 = {
    {.type = "sliding_attention", .base_keys = {"rope_local_base_freq"}, .scaled = false},
    {.type = "full_attention", .base_keys = {"rope_theta"}, .base = 1e6}};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      // All channels of a head, or a part, by one ladder.
      {.types = {"llama", "mistral", "qwen2", "qwen2_moe", "starcoder2", "olmo", "olmo2"}},
      {.types = {"granite"}, .logit_factor = 1},
      {.types = {"mixtral"}, .ladders = {base_of(1e6)}},
      {.types = {"qwen3", "qwen3_moe"}, .head_width = 128},
      {.types = {"gemma", "gemma2"}, .head_width = 256},
      {.types = {"phi3"}, .original_length = 4096},
      {.types = {"phi", "nemotron", "glm4_moe"}, .ladders = {part_of(0.5)}},
      {.types = {"gpt_neox", "stablelm"}, .ladders = {part_of(0.25)}},
      {.types = {"persimmon"}, .ladders = {part_of(0.5, 25000, 1e4)}},
      {.types = {"glm", "glm4"}, .ladders = {part_of(0.5)}, .interleaved = true, .head_width = 128},
      {.types = {"cohere"}, .ladders = {base_of(1e4, 5e5)}, .interleaved = true},
      {.types = {"helium"}, .ladders = {base_of(1e5)}, .interleaved = true, .head_width = 128},
      {.types = {"gpt_oss"}, .ladders = {base_of(150000)}, .head_width = 64, .has_own_scaling = true},
      {.types = {"ministral3"},
       .ladders = {base_of(1e6)},
       .head_width = 128,
       .has_own_scaling = true,
       .only_transformers_5 = true},
      {.types = {"minimax_m2"}, .ladders = {base_of(5e6)}, .head_width = 128, .only_transformers_5 = true},
      {.types = {"gptj", "codegen"}, .read = read_fixed_rotary, .interleaved = true},
      {.types = {"falcon"}, .read = read_falcon},

      // Layers that differ.
      {.types = {"gemma3_text"}, .ladders = gemma_3, .layers = Layers::by_type, .interval = 6, .head_width = 256},
      {.types = {"gemma4_text"},
       .ladders = {{.type = "sliding_attention", .base_keys = {}},
                   {.type = "full_attention",
                    .base_keys = {},
                    .base = 1e6,
                    .part = 0.25,
                    .scaling = "proportional",
                    .width_key = "global_head_dim",
                    .width = 512}},
       .layers = Layers::by_type,
       .interval = 6,
       .head_width = 256,
       .logit_factor = 1,
       .only_transformers_5 = true},
      {.types = {"olmo3"},
       .ladders = {{.type = "sliding_attention", .base_of_5 = 5e5, .base_keys_of_4_only = true, .scaled = false},
                   {.type = "full_attention", .base_of_5 = 5e5}},
       .layers = Layers::by_type,
       .interval = 4},
      {.types = {"modernbert"},
       .ladders = {{.type = "sliding_attention", .base_keys = {"local_rope_theta"}},
                   {.type = "full_attention", .base_keys = {"global_rope_theta"}, .base = 160000}},
       .layers = Layers::by_type,
       .interval = 3,
       .first_is_full = true,
       .window_key = "local_attention"},
      {.types = {"cohere2"},
       .ladders = {{.type = "sliding_attention"}},
       .interleaved = true,
       .layers = Layers::by_type,
       .interval = 4},
      {.types = {"exaone4"}, .ladders = {{.type = "sliding_attention"}}, .layers = Layers::by_type, .interval = 4},
      {.types = {"qwen3_next"},
       .ladders = {{.type = "full_attention", .part = 0.25}},
       .layers = Layers::by_type,
       .interval = 4,
       .other_type = "linear_attention",
       .head_width = 256},
      {.types = {"minimax"},
       .ladders = {{.type = "full_attention", .base = 1e6}},
       .layers = Layers::by_type,
       .interval = 2,
       .other_type = "linear_attention",
       .first_is_full = true},
      {.types = {"smollm3"}, .ladders = {base_of(2e6)}, .layers = Layers::no_rope_list, .interval = 4},
      {.types = {"llama4_text"},
       .ladders = {base_of(5e5)},
       .interleaved = true,
       .layers = Layers::no_rope_list,
       .interval = 4,
       .head_width = 128,
       .window_key = "attention_chunk_size"},

      // Latent attention.
      {.types = {"deepseek_v2"},
       .read = read_latent,
       .interleaved = true,
       .scales_logits = true,
       .scales_logits_by_5_only = true},
      {.types = {"deepseek_v3"}, .read = read_latent, .interleaved = true, .scales_logits = true},
      {.types = {"glm_moe_dsa", "deepseek_v32"},
       .read = read_latent,
       .interleaved = true,
       .scales_logits = true,
       .only_transformers_5 = true},
      {.types = {"deepseek_v4"},
       .read = read_deepseek_v4,
       .ladders = {{.type = "main", .base_keys = {"rope_theta"}, .scaled = false},
                   {.type = "compress", .base_keys = {"compress_rope_theta"}, .base = 160000}},
       .interleaved = true,
       .layers = Layers::by_type,
       .head_width = 512,
       .only_transformers_5 = true},

      // Several coordinates.
      {.types = {"qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"},
       .read = read_m_rope,
       .ladders = {base_of(1e6)},
       .sections = {16, 24, 24}},
      {.types = {"qwen3_vl", "qwen3_vl_text", "qwen3_vl_moe", "qwen3_vl_moe_text"},
       .read = read_m_rope,
       .ladders = {base_of(5e6, 5e5)},
       .head_width = 128,
       .sections = {24, 20, 20},
       .in_turns = true},
      {.types = {"qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"},
       .read = read_m_rope,
       .ladders = {{.type = "full_attention", .part = 0.25}},
       .layers = Layers::by_type,
       .interval = 4,
       .other_type = "linear_attention",
       .head_width = 256,
       .only_transformers_5 = true,
       .sections = {11, 11, 10},
       .in_turns = true},
      {.types = {"glm4v", "glm4v_text"},
       .read = read_m_rope,
       .ladders = {part_of(0.5)},
       .interleaved = true,
       .sections = {8, 12, 12}},
      {.types = {"vit", "deit", "dinov2"}, .read = read_vit},
      {.types = {"dinov3_vit"}, .read = read_dinov3, .ladders = {base_of(100)}},
      {.types = {"swin", "swinv2"}, .read = read_swin},

      // Biases.
      {.types = {"bloom"}, .read = read_alibi},
      {.types = {"mpt"}, .read = read_mpt},
      {.types = {"t5", "mt5", "switch_transformers"}, .read = read_t5, .head_width = 64},
      {.types = {"umt5"}, .read = read_t5, .head_width = 64, .bias_per_layer = true},
      {.types = {"deberta", "deberta-v2"}, .read = read_deberta},

      // Tables.
      {.types = {"gpt2", "gpt_bigcode", "openai-gpt", "distilbert"}, .read = read_learned},
      {.types = {"gpt_neo"}, .read = read_learned, .window_key = "window_size", .logit_factor = 1},
      {.types = {"bert", "ernie"}, .read = read_bert},
      {.types = {"albert", "electra"}, .read = read_bert, .embedding_width = 128},
      {.types = {"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert"}, .read = read_roberta},
      {.types = {"opt", "bart", "mbart"}, .read = read_learned, .row_offset = 2},
      {.types = {"whisper"}, .read = read_whisper},
  };
  return all;
}

// Where rope_parameters has a table for each type of layer.
std::vector<Ladder> ladders_by_type(const Keys& keys) {
  std::vector<Ladder> ladders;
  if (!keys.has("rope_parameters") || !keys.object()["rope_parameters"].is_object() || !keys.has("layer_types"))
    return ladders;
  for (const auto& [name, value] : keys.object()["rope_parameters"].items())
    if (value.is_object() || value.is_null()) ladders.push_back({.type = name});
  return ladders;
}

}  // namespace

const Family* family_of(const std::string& model_type) {
  for (const Family& family : families())
    for (const std::string& type : family.types)
      if (type == model_type) return &family;
  return nullptr;
}

Family guessed_family(const Keys& keys) {
  const std::string embedding = keys.text({"position_embedding_type"}, "scheme").value_or("");
  const auto any_of = [&](Keys::Names names) {
    for (const char* name : names)
      if (keys.has(name)) return true;
    return false;
  };
  if (keys.has("qk_rope_head_dim")) return {.types = {}, .read = read_latent, .interleaved = true};
  if (std::vector<Ladder> ladders = ladders_by_type(keys); !ladders.empty())
    return {.types = {}, .read = read_rotary, .ladders = std::move(ladders), .layers = Layers::by_type};
  if (embedding == "rotary" || embedding == "rope" ||
      any_of({"rope_theta", "rope_scaling", "rope_parameters", "rotary_pct", "rotary_emb_base", "rotary_dim",
              "partial_rotary_factor"}))
    return {.types = {}, .read = read_rotary};
  if (embedding == "alibi" || keys.flag({"alibi", "use_alibi"}, "scheme").value_or(false))
    return {.types = {}, .read = read_alibi};
  if (keys.has("relative_attention_num_buckets")) return {.types = {}, .read = read_t5};
  if (keys.flag({"relative_attention"}, "scheme").value_or(false)) return {.types = {}, .read = read_deberta};
  if (embedding == "absolute" || embedding == "relative_key" || embedding == "relative_key_query")
    return {.types = {}, .read = read_bert};
  throw not_served(
      "this model_type is not known, and no key tells how it encodes positions: none of rope_theta, "
      "rope_scaling, rope_parameters, rotary_pct, rotary_dim, alibi, relative_attention_num_buckets, "
      "relative_attention, position_embedding_type is there");
}

}  // namespace poslab::importing
