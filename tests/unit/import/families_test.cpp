// SPDX-License-Identifier: Apache-2.0
// Configurations (configurations/sources.md says where their numbers come from) and what each comes to.
#include "configurations.hpp"

using namespace configurations;

namespace {

const std::string llama3 =
    "scaling=llama3, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192)";

}  // namespace

TEST_CASE("each family has its scheme, parameters and layout") {
  struct Case {
    const char* name;
    std::int64_t heads, head_width;
    Texts kinds;
  };
  const std::vector<Case> cases{
      {"llama-2", 32, 128, {"rope(base=10000.0, style=half-split)"}},
      {"llama-3.1", 32, 128, {"rope(base=500000.0, style=half-split, " + llama3}},
      {"llama-3.1-new", 32, 128, {"rope(base=500000.0, style=half-split, " + llama3}},
      {"llama-4",
       40,
       128,
       {"rope: rope(base=500000.0, style=interleaved, " + llama3,
        "no_rope: query-temperature(form=llama4, scale=0.1, length=8192.0)"}},
      {"smollm-3", 16, 128, {"rope: rope(base=5000000.0, style=half-split)", "no_rope: none"}},
      {"mixtral", 32, 128, {"rope(base=1000000.0, style=half-split)"}},
      {"ministral-3",
       32,
       128,
       {"rope(base=1000000.0, style=half-split, scaling=yarn, factor=16.0, original_max_position_embeddings=16384, "
        "beta_fast=32.0, beta_slow=1.0, attention_factor=1.0)"}},
      {"qwen-2", 32, 128, {"rope(base=10000.0, style=half-split)"}},
      {"qwen-3", 32, 128, {"rope(base=10000.0, style=half-split)"}},
      {"qwen-2-vl", 64, 128, {"m-rope(base=1000000.0, style=half-split, order=sections, sections=[16, 24, 24])"}},
      {"qwen-3-vl", 32, 128, {"m-rope(base=5000000.0, style=half-split, order=interleaved, sections=[24, 20, 20])"}},
      {"qwen-3.5",
       24,
       256,
       {"linear_attention: none",
        "full_attention: m-rope(base=10000000.0, style=half-split, order=interleaved, rotary_width=64, "
        "sections=[11, 11, 10])"}},
      {"gemma-2", 8, 256, {"rope(base=10000.0, style=half-split)"}},
      {"gemma-3",
       32,
       128,
       {"sliding_attention: rope(base=10000.0, style=half-split)",
        "full_attention: rope(base=1000000.0, style=half-split, scaling=linear, factor=8.0)"}},
      {"gemma-3-new",
       32,
       128,
       {"sliding_attention: rope(base=10000.0, style=half-split)",
        "full_attention: rope(base=1000000.0, style=half-split, scaling=linear, factor=8.0)"}},
      {"gemma-4",
       8,
       256,
       {"sliding_attention: rope(base=10000.0, style=half-split)",
        "full_attention: rope(base=1000000.0, style=half-split, scaling=proportional, p=0.25)"}},
      {"gpt-neox", 64, 96, {"rope(base=10000.0, style=half-split, rotary_width=24)"}},
      {"gpt-j", 16, 256, {"rope(base=10000.0, style=interleaved, rotary_width=64)"}},
      {"falcon", 71, 64, {"rope(base=10000.0, style=half-split)"}},
      {"falcon-alibi", 32, 64, {"alibi"}},
      {"stablelm", 32, 80, {"rope(base=10000.0, style=half-split, rotary_width=20)"}},
      {"glm-4", 32, 128, {"rope(base=10000.0, style=interleaved, rotary_width=64)"}},
      {"glm-5", 64, 256, {"rope(base=1000000.0, style=interleaved, rotary_width=64, rotary_part=last)"}},
      {"minimax-m2", 48, 128, {"rope(base=5000000.0, style=half-split, rotary_width=64)"}},
      {"command-r", 64, 128, {"rope(base=10000.0, style=interleaved)"}},
      {"command-a", 32, 128, {"sliding_attention: rope(base=50000.0, style=interleaved)", "full_attention: none"}},
      {"olmo-3",
       32,
       128,
       {"sliding_attention: rope(base=500000.0, style=half-split)",
        "full_attention: rope(base=500000.0, style=half-split, scaling=yarn, factor=8.0, "
        "original_max_position_embeddings=8192, beta_fast=32.0, beta_slow=1.0, attention_factor=1.2079441541679836)"}},
      {"deepseek-v3",
       128,
       192,
       {"rope(base=10000.0, style=interleaved, scaling=yarn, factor=40.0, original_max_position_embeddings=4096, "
        "beta_fast=32.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0, rotary_width=64, rotary_part=last)"}},
      {"deepseek-v4",
       64,
       512,
       {"main: rope(base=10000.0, style=interleaved, rotary_width=64, rotary_part=last)",
        "compress: rope(base=160000.0, style=interleaved, rotary_width=64, scaling=yarn, factor=16.0, "
        "original_max_position_embeddings=65536, beta_fast=32.0, beta_slow=1.0, attention_factor=1.0, "
        "rotary_part=last)"}},
      {"gpt-oss",
       64,
       64,
       {"rope(base=150000.0, style=half-split, scaling=yarn, factor=32.0, original_max_position_embeddings=4096, "
        "beta_fast=32.0, beta_slow=1.0, truncate=false)"}},
      {"modernbert",
       12,
       64,
       {"full_attention: rope(base=160000.0, style=half-split)",
        "sliding_attention: rope(base=10000.0, style=half-split)"}},
      {"gpt-2", 12, 64, {"learned(max_length=1024)"}},
      {"bert", 12, 64, {"learned(max_length=512)"}},
      {"bert-relative", 12, 64, {"bert-relative(form=key-query, max_length=512)"}},
      {"roberta", 12, 64, {"learned(max_length=512, row_offset=2)"}},
      {"opt", 12, 64, {"learned(max_length=2048, row_offset=2)"}},
      {"t5",
       8,
       64,
       {"encoder: t5(buckets=32, max_distance=128, bidirectional=true)", "decoder: t5(buckets=32, max_distance=128)"}},
      {"umt5",
       6,
       64,
       {"encoder: t5(buckets=32, max_distance=128, per_layer=true, bidirectional=true)",
        "decoder: t5(buckets=32, max_distance=128, per_layer=true)"}},
      {"bloom", 16, 64, {"alibi"}},
      {"mpt", 32, 128, {"alibi(alibi_bias_max=16.0)"}},
      {"deberta-v3",
       12,
       64,
       {"deberta(position_buckets=256, max_relative_positions=512, content_to_position=true, "
        "position_to_content=true)"}},
      {"deberta",
       12,
       64,
       {"deberta(position_buckets=1024, max_relative_positions=514, span=512, content_to_position=true, "
        "position_to_content=true)"}},
      {"whisper",
       6,
       64,
       {"encoder: sinusoidal(layout=timing-signal, max_timescale=10000.0)", "decoder: learned(max_length=448)"}},
      {"vit", 12, 64, {"learned(max_length=197)"}},
      {"dinov3", 6, 64, {"axial-normalised(base=100.0, grid=[14, 14])"}},
      {"swin", 3, 32, {"swin(window=[7, 7])"}},
      {"swin-v2", 3, 32, {"swin(window=[16, 16], version=v2, pretrained_window=[8, 8])"}},
      {"unknown", 16, 64, {"rope(base=250000.0, style=half-split)"}},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    const Model model = model_of(one.name);
    CHECK(kinds_of(model) == one.kinds);
    CHECK(model.heads == one.heads);
    CHECK(model.head_width == one.head_width);
  }
}

TEST_CASE("keys about positions that nothing was made of are told, wherever they stand") {
  CHECK(model_of("unknown").not_understood == Texts{"rope_fraction_of_something"});
  CHECK(model_of("llama-3.1").not_understood.empty());
  CHECK(importing::read_configuration(llama(R"("rope_theta": 1e5, "use_dynamic_ntk": true, "use_logn_attn": true)"))
            .not_understood == Texts{"use_dynamic_ntk", "use_logn_attn"});
  const Model model = importing::read_configuration(llama(
      R"("rope_theta": 1e5, "rope_scaling": {"rope_type": "linear", "factor": 2, "wobble": 3}, "vocab_size": 7)"));
  CHECK(model.not_understood == Texts{"rope_scaling.wobble"});
  CHECK(importing::read_configuration(R"({"rope_wobble": 1, "text_config": )" + llama(R"("rope_theta": 1e5)") + "}")
            .not_understood == Texts{"rope_wobble"});
}
