// SPDX-License-Identifier: Apache-2.0
// Configurations (configurations/sources.md says where their numbers come from) and what each comes to.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "poslab/import/model.hpp"

using namespace poslab;
using importing::Difference;
using importing::Form;
using importing::LayerKind;
using importing::Limit;
using importing::Model;

namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(POSLAB_SOURCE_DIR) + "/tests/unit/import/configurations/" + name + ".json");
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Model model_of(const std::string& name) { return importing::read_configuration(text_of(name)); }

// "sliding_attention: rope(base=10000.0, style=half-split)"
std::vector<std::string> kinds_of(const Model& model) {
  std::vector<std::string> kinds;
  for (const LayerKind& kind : model.kinds)
    kinds.push_back((kind.name.empty() ? "" : kind.name + ": ") + importing::variant_text(kind));
  return kinds;
}

bool has(const Model& model, Limit::Kind kind) {
  return std::any_of(model.limits.begin(), model.limits.end(), [&](const Limit& limit) { return limit.kind == kind; });
}

base::Error::Kind refusal_of(const std::string& text) {
  try {
    importing::read_configuration(text);
  } catch (const base::Error& error) {
    return error.kind;
  }
  FAIL("not refused: " << text);
  return {};
}

using Texts = std::vector<std::string>;
constexpr base::Error::Kind damaged = base::Error::Kind::damaged, request = base::Error::Kind::request;

const std::string llama3 =
    "scaling=llama3, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192)";

// A configuration of llama with these keys more.
std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, )" + keys +
         "}";
}

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
      {"glm-5", 64, 256, {"rope(base=1000000.0, style=interleaved, rotary_width=64)"}},
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
        "beta_fast=32.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0, rotary_width=64)"}},
      {"deepseek-v4",
       64,
       512,
       {"main: rope(base=10000.0, style=interleaved, rotary_width=64)",
        "compress: rope(base=160000.0, style=interleaved, rotary_width=64, scaling=yarn, factor=16.0, "
        "original_max_position_embeddings=65536, beta_fast=32.0, beta_slow=1.0, attention_factor=1.0)"}},
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

TEST_CASE("longrope takes its lists, and its lengths from outside the table") {
  const Model model = model_of("phi-3");
  REQUIRE(model.kinds.size() == 1);
  const data::Values& set = model.kinds.front().set;
  CHECK(set.text("scaling") == "longrope");
  CHECK(set.list("short_factor").size() == 48);
  CHECK(set.list("long_factor").back() == 24.5);
  CHECK(set.integer("original_max_position_embeddings") == 4096);
  CHECK(set.integer("max_position_embeddings") == 131072);
  CHECK_FALSE(set.contains("attention_factor"));  // as the paper has it
}

TEST_CASE("layers come in the configuration's order") {
  CHECK(model_of("gemma-3").kind_of_layer[4] == 0);
  CHECK(model_of("gemma-3").kind_of_layer[5] == 1);
  CHECK(model_of("gemma-3").kind_of_layer.size() == 62);
  CHECK(model_of("gemma-3").kind_of_layer == model_of("gemma-3-new").kind_of_layer);
  CHECK(model_of("smollm-3").kind_of_layer[3] == 1);
  CHECK(model_of("modernbert").kind_of_layer[0] == 0);
  CHECK(model_of("modernbert").kind_of_layer[3] == 0);
  CHECK(model_of("deepseek-v4").kind_of_layer == std::vector<std::size_t>{0, 0, 1, 1, 1, 0});
  CHECK(model_of("llama-2").kind_of_layer.empty());
}

TEST_CASE("a reader of the old form takes a default base and no scaling from the new form") {
  const Model model = model_of("llama-3.1-new");
  CHECK(model.form == Form::transformers_5);
  REQUIRE(!model.differences.empty());
  const Difference& base = model.differences.front();
  CHECK(base.parameter == "base");
  CHECK(base.by_transformers_4 == data::Value(1e4));
  CHECK(base.by_transformers_5 == data::Value(5e5));
  CHECK(model.differences.size() == 6);
  CHECK(model_of("llama-3.1").differences.empty());
  CHECK(model_of("gemma-3").differences.empty());
}

TEST_CASE("inside rope_parameters a base counts more than beside it, and the other reader's key is told") {
  const Model model =
      importing::read_configuration(llama(R"("rope_theta": 2e4, "rope_parameters": {"rope_theta": 5e5})"));
  CHECK(kinds_of(model) == Texts{"rope(base=500000.0, style=half-split)"});
  CHECK(model.read_by_other == Texts{"rope_theta"});
  CHECK(model.not_understood.empty());
  REQUIRE(model.differences.size() == 1);
  CHECK(model.differences.front().by_transformers_4 == data::Value(2e4));
  // Beside a table without one it is the base of all layers, rather than the family's default.
  const Model beside =
      importing::read_configuration(llama(R"("rope_theta": 2e4, "rope_parameters": {"rope_type": "default"})"));
  CHECK(kinds_of(beside) == Texts{"rope(base=20000.0, style=half-split)"});
}

TEST_CASE("readers differ where their defaults do, and where one reads a key no more") {
  const Model command = model_of("command-r");
  REQUIRE(command.differences.size() == 1);
  CHECK(command.differences.front().by_transformers_5 == data::Value(5e5));
  const Model bert = model_of("bert-relative");
  REQUIRE(bert.differences.size() == 1);
  CHECK(bert.differences.front().parameter == "scheme");
  CHECK(bert.differences.front().by_transformers_5 == data::Value(std::string("learned")));
  // Transformers 5 believes original_max_position_embeddings outside the table, and longrope's factor inside.
  const std::string yarn = R"("max_position_embeddings": 4096, "original_max_position_embeddings": 512,
    "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024})";
  const Model model = importing::read_configuration(llama(yarn));
  REQUIRE(model.differences.size() == 1);
  CHECK(model.differences.front().by_transformers_4 == data::Value(std::int64_t{1024}));
  CHECK(model.differences.front().by_transformers_5 == data::Value(std::int64_t{512}));
  const std::string longrope = R"("max_position_embeddings": 4096, "original_max_position_embeddings": 512,
    "rope_scaling": {"type": "longrope", "factor": 4.0, "short_factor": [1, 1, 1, 1, 1, 1, 1, 1],
                     "long_factor": [1, 2, 3, 4, 5, 6, 7, 8]})";
  const Model by_factor = importing::read_configuration(llama(longrope));
  REQUIRE(by_factor.differences.size() == 1);
  CHECK(by_factor.differences.front().parameter == "attention_factor");
  CHECK(std::get<double>(by_factor.differences.front().by_transformers_5) ==
        Approx(std::sqrt(1 + std::log(4.0) / std::log(512.0))));
  // What transformers 5 refuses of first releases: "su" for longrope, and a number where true is meant.
  CHECK(model_of("phi-3").refused_by_other.empty());
  nlohmann::json su = nlohmann::json::parse(text_of("phi-3"));
  su["rope_scaling"]["type"] = "su";
  CHECK(kinds_of(importing::read_configuration(su.dump())) == kinds_of(model_of("phi-3")));
  CHECK_FALSE(importing::read_configuration(su.dump()).refused_by_other.empty());
  CHECK_FALSE(model_of("llama-4").refused_by_other.empty());
  const Model refused = importing::read_configuration(llama(R"("rope_parameters": {"rope_type": "default"},
    "rope_scaling": {"type": "proportional", "partial_rotary_factor": 0.5})"));
  CHECK(refused.kinds.front().set.real("p") == 0.5);
  CHECK_FALSE(refused.refused_by_other.empty());
}

TEST_CASE("keys about positions that nothing was made of are told, wherever they stand") {
  CHECK(model_of("unknown").not_understood == Texts{"rope_fraction_of_something"});
  CHECK(model_of("llama-3.1").not_understood.empty());
  const Model model = importing::read_configuration(llama(
      R"("rope_theta": 1e5, "rope_scaling": {"rope_type": "linear", "factor": 2, "wobble": 3}, "vocab_size": 7)"));
  CHECK(model.not_understood == Texts{"rope_scaling.wobble"});
  CHECK(importing::read_configuration(R"({"rope_wobble": 1, "text_config": )" + llama(R"("rope_theta": 1e5)") + "}")
            .not_understood == Texts{"rope_wobble"});
}

TEST_CASE("what a study cannot say is told") {
  CHECK(has(model_of("deepseek-v3"), Limit::Kind::rotated_last));
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

TEST_CASE("mscale and mscale_all_dim stretch by their quotient, and scale logits in DeepSeek's families alone") {
  const std::string table =
      R"("rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 0.5,
                          "mscale_all_dim": 2.0})";
  const double quotient = (0.1 * 0.5 * std::log(40.0) + 1) / (0.1 * 2 * std::log(40.0) + 1);
  const Model of_llama = importing::read_configuration(llama(table));
  CHECK(of_llama.kinds.front().set.real("attention_factor") == Approx(quotient).epsilon(1e-14));
  const Model of_deepseek = importing::read_configuration(
      R"({"model_type": "deepseek_v3", "hidden_size": 64, "num_attention_heads": 4, "qk_rope_head_dim": 16, )" + table +
      "}");
  CHECK(of_deepseek.kinds.front().set.real("mscale") == 0.5);
  CHECK(of_deepseek.kinds.front().set.real("mscale_all_dim") == 2);
}

TEST_CASE("what is no configuration, or a partial one, is refused") {
  CHECK(refusal_of("") == damaged);
  CHECK(refusal_of("  \n") == damaged);
  CHECK(refusal_of("not JSON") == damaged);
  CHECK(refusal_of("[1, 2]") == damaged);
  CHECK(refusal_of("{\"model_type\": \"llama\"") == damaged);
  CHECK(refusal_of(std::string(100, '[') + std::string(100, ']')) == damaged);
  CHECK(refusal_of(std::string(2 << 20, ' ')) == damaged);
  CHECK(refusal_of("{}") == request);
  CHECK(refusal_of(R"({"model_type": "llama"})") == request);
  CHECK(refusal_of(R"({"model_type": "llama", "hidden_size": 64})") == request);
  CHECK(refusal_of(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 7})") == request);
  CHECK(refusal_of(R"({"model_type": "llama", "hidden_size": -64, "num_attention_heads": 4})") == damaged);
  CHECK(refusal_of(R"({"model_type": "llama", "hidden_size": "64", "num_attention_heads": 4})") == damaged);
  CHECK(refusal_of(R"({"model_type": "llama", "hidden_size": 1e300, "num_attention_heads": 4})") == damaged);
  CHECK(refusal_of(R"({"model_type": "llama", "hidden_size": 999999999, "num_attention_heads": 1})") == request);
  CHECK(refusal_of(llama(R"("rope_theta": NaN)")) == damaged);
  CHECK(refusal_of(llama(R"("rope_theta": -1)")) == damaged);
  CHECK(refusal_of(llama(R"("rope_theta": 1e999)")) == damaged);
  CHECK(refusal_of(llama(R"("rope_scaling": 3)")) == damaged);
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "linear", "factor": -2})")) == damaged);
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "linear", "factor": 0.5})")) == request);
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "linear"})")) == request);
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "lniear", "factor": 2})")) == request);
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "yarn", "factor": 2})")) == request);  // no length
  CHECK(refusal_of(llama(R"("partial_rotary_factor": 0.2)")) == request);                   // three channels
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "longrope", "short_factor": [1], "long_factor": [1]},
                            "max_position_embeddings": 100)")) == request);
  CHECK(refusal_of(llama(R"("rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 4, "high_freq_factor": 4,
                            "original_max_position_embeddings": 8192})")) == request);
  CHECK(refusal_of(R"({"model_type": "qwen2_vl", "hidden_size": 64, "num_attention_heads": 4,
                       "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 4]}})") == request);
  CHECK(refusal_of(R"({"model_type": "gpt_oss", "hidden_size": 64, "num_attention_heads": 4})") == request);
  CHECK(refusal_of(R"({"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 3,
                       "no_rope_layers": [1, 0]})") == request);
  CHECK(refusal_of(R"({"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 4,
                       "num_hidden_layers": 900000000})") == request);
  CHECK(refusal_of(R"({"model_type": "nobody", "hidden_size": 64, "num_attention_heads": 4})") == request);
}

TEST_CASE("yarn by a factor of 1 changes nothing") {
  const Model model = importing::read_configuration(
      llama(R"("max_position_embeddings": 4096, "rope_scaling": {"type": "yarn", "factor": 1.0})"));
  CHECK(kinds_of(model) == Texts{"rope(base=10000.0, style=half-split)"});
}

TEST_CASE("an unknown family with a table for each type of layer is read layer by layer") {
  const Model model = importing::read_configuration(
      R"({"model_type": "nobody", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 3,
          "layer_types": ["near", "far", "plain"],
          "rope_parameters": {"near": {"rope_theta": 1e4}, "far": {"rope_theta": 1e6}, "plain": null}})");
  CHECK(kinds_of(model) == Texts{"near: rope(base=10000.0, style=half-split)",
                                 "far: rope(base=1000000.0, style=half-split)", "plain: none"});
  CHECK(has(model, Limit::Kind::order));
}

TEST_CASE("any value of any key is taken or refused") {
  const std::vector<nlohmann::json> values{nullptr,
                                           true,
                                           -1,
                                           0,
                                           1,
                                           3,
                                           1e308,
                                           -0.5,
                                           1e18,
                                           "",
                                           "yarn",
                                           "\n\"",
                                           nlohmann::json::array(),
                                           {1, 2},
                                           {"x"},
                                           nlohmann::json::object(),
                                           {{"a", 1}}};
  int taken = 0, refused = 0;
  for (const std::filesystem::directory_entry& file :
       std::filesystem::directory_iterator(std::string(POSLAB_SOURCE_DIR) + "/tests/unit/import/configurations")) {
    if (file.path().extension() != ".json") continue;
    const nlohmann::json whole = nlohmann::json::parse(text_of(file.path().stem().string()));
    const nlohmann::json flat = whole.flatten();
    for (const auto& [pointer, old] : flat.items())
      for (nlohmann::json::json_pointer at(pointer); !at.empty(); at.pop_back())
        for (const nlohmann::json& value : values) {
          nlohmann::json changed = whole;
          changed[at] = value;
          INFO(file.path().stem() << " " << at.to_string() << " " << value.dump());
          try {
            const Model model = importing::read_configuration(changed.dump());
            REQUIRE(!importing::study_text(model, "a").empty());
            ++taken;
          } catch (const base::Error& error) {
            REQUIRE(error.kind != base::Error::Kind::internal);
            ++refused;
          }
        }
  }
  CHECK(taken > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("layers of types that encode alike are one kind") {
  const Model model = importing::read_configuration(
      R"({"model_type": "olmo3", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 8})");
  CHECK(model.kinds.size() == 1);
  CHECK(model.kind_of_layer == std::vector<std::size_t>(8, 0));
}
