// SPDX-License-Identifier: Apache-2.0
// What a study cannot say of a model.
#include <map>

#include "configurations.hpp"
#include "poslab/base/text.hpp"

using namespace configurations;

namespace {

// Limits of a configuration with heads of width 64 and these keys more: "window sliding_window 4096".
Texts limits_of(const std::string& family, const std::string& keys) {
  const Model model = importing::read_configuration(
      R"({"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 6, "max_position_embeddings": 512,
          "model_type": ")" +
      family + "\"" + (keys.empty() ? "" : ", ") + keys + "}");
  const std::map<Limit::Kind, std::string> names{{Limit::Kind::window, "window"},
                                                 {Limit::Kind::logit_scale, "logit_scale"},
                                                 {Limit::Kind::logit_factor, "logit_factor"},
                                                 {Limit::Kind::logit_by_layer, "logit_by_layer"},
                                                 {Limit::Kind::table_width, "table_width"}};
  Texts limits;
  for (const Limit& limit : model.limits)
    if (const auto name = names.find(limit.kind); name != names.end())
      limits.push_back(name->second + " " + limit.subject + " " + base::shortest(limit.amount));
  return limits;
}

}  // namespace

TEST_CASE("what a study cannot say is told") {
  CHECK(has(model_of("deepseek-v4"), Limit::Kind::value_side));
  CHECK(has(model_of("gemma-4"), Limit::Kind::other_width));
  CHECK(has(model_of("gemma-3"), Limit::Kind::logit_scale));
  CHECK(has(model_of("gemma-3"), Limit::Kind::other_part));
  CHECK(has(model_of("ministral-3"), Limit::Kind::also));
  CHECK(has(model_of("falcon-alibi"), Limit::Kind::bias_scale));
  CHECK(has(model_of("qwen-3.5"), Limit::Kind::no_attention));
  CHECK(has(model_of("unknown"), Limit::Kind::unknown_family));
  CHECK(has(model_of("gpt-oss"), Limit::Kind::window));
  CHECK_FALSE(has(model_of("qwen-2"), Limit::Kind::window));  // use_sliding_window is false
  CHECK(model_of("llama-3.1").limits.empty());
}

TEST_CASE("windows are told, by whatever key a family has them") {
  CHECK(limits_of("mistral", R"("sliding_window": 4096)") == Texts{"window sliding_window 4096"});
  CHECK(limits_of("modernbert", R"("local_attention": 128)") == Texts{"window local_attention 128"});
  CHECK(limits_of("llama4_text", R"("attention_chunk_size": 8192)") == Texts{"window attention_chunk_size 8192"});
  CHECK(limits_of("llama4_text", R"("attention_chunk_size": null)").empty());
  CHECK(limits_of("gpt_neo", R"("window_size": 256)") == Texts{"window window_size 256", "logit_factor  1"});
}

TEST_CASE("logits that are scaled otherwise are told, by whatever key says it or where it is the family's") {
  CHECK(limits_of("gemma2", R"("head_dim": 64, "query_pre_attn_scalar": 96)") ==
        Texts{"logit_scale query_pre_attn_scalar 96"});
  CHECK(limits_of("granite", R"("attention_multiplier": 0.015625)") ==
        Texts{"logit_factor attention_multiplier 0.015625"});
  CHECK(limits_of("granite", R"("attention_multiplier": 0.125)").empty());  // 64^-1/2
  CHECK(limits_of("granite", R"("head_dim": 128, "attention_multiplier": 0.08838834764)").empty());
  CHECK(limits_of("granite", "") == Texts{"logit_factor  1"});
  CHECK(limits_of("gemma4_text", "") == Texts{"logit_factor  1"});
  CHECK(limits_of("gpt2", R"("scale_attn_weights": false)") == Texts{"logit_factor scale_attn_weights 1"});
  CHECK(limits_of("gpt2", R"("scale_attn_by_inverse_layer_idx": true)") ==
        Texts{"logit_by_layer scale_attn_by_inverse_layer_idx 0"});
  CHECK(limits_of("gpt2", R"("scale_attn_weights": true, "scale_attn_by_inverse_layer_idx": false)").empty());
  CHECK(limits_of("mpt", R"("attn_config": {"alibi": true, "softmax_scale": 0.5})") ==
        Texts{"logit_factor attn_config.softmax_scale 0.5"});
  CHECK(limits_of("mpt", R"("attn_config": {"alibi": true, "softmax_scale": null})").empty());
}

TEST_CASE("a table that is narrower than the model is told") {
  CHECK(limits_of("albert", R"("embedding_size": 128)") == Texts{"table_width embedding_size 128"});
  CHECK(limits_of("electra", "") == Texts{"table_width embedding_size 128"});  // as its readers take it
  CHECK(limits_of("electra", R"("embedding_size": 768)").empty());
  CHECK(limits_of("bert", R"("embedding_size": 128)").empty());  // which does not read it
}
