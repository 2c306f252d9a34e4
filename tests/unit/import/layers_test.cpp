// SPDX-License-Identifier: Apache-2.0
// Models whose layers differ: their order, and the row of a study that says it.
#include "configurations.hpp"

using namespace configurations;

namespace {

// Lines of the list in the study's row; empty if it has none.
Texts rows_of(const Model& model) {
  std::istringstream study(importing::study_text(model, "a"));
  Texts rows;
  bool inside = false;
  for (std::string line; std::getline(study, line);) {
    if (inside && line == "]") return rows;
    if (inside) rows.push_back(line);
    inside = inside || line == "layers = [";
  }
  return rows;
}

// So many times the one, then the other.
Texts pattern(std::size_t times, const std::string& one, const std::string& other) {
  Texts rows(times, "  " + one + ",");
  rows.push_back("  " + other + ",");
  return rows;
}

}  // namespace

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

TEST_CASE("MiniMax's linear layers do not rotate, and alternate with full ones where nothing lists them") {
  const std::string sizes = R"({"model_type": "minimax", "hidden_size": 64, "num_attention_heads": 4,
                                "num_hidden_layers": 4)";
  const Model listed = importing::read_configuration(
      sizes + R"(, "rope_theta": 1e7, "layer_types": ["linear_attention", "linear_attention", "linear_attention",
                                                      "full_attention"]})");
  CHECK(kinds_of(listed) == Texts{"linear_attention: none", "full_attention: rope(base=10000000.0, style=half-split)"});
  CHECK(listed.kind_of_layer == std::vector<std::size_t>{0, 0, 0, 1});
  CHECK(has(listed, Limit::Kind::no_attention));
  const Model silent = importing::read_configuration(sizes + "}");
  CHECK(kinds_of(silent) == Texts{"full_attention: rope(base=1000000.0, style=half-split)", "linear_attention: none"});
  CHECK(silent.kind_of_layer == std::vector<std::size_t>{0, 1, 0, 1});
}

TEST_CASE("an unknown family with a table for each type of layer is read layer by layer") {
  const Model model = importing::read_configuration(
      R"({"model_type": "nobody", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 3,
          "layer_types": ["near", "far", "plain"],
          "rope_parameters": {"near": {"rope_theta": 1e4}, "far": {"rope_theta": 1e6}, "plain": null}})");
  CHECK(kinds_of(model) == Texts{"near: rope(base=10000.0, style=half-split)",
                                 "far: rope(base=1000000.0, style=half-split)", "plain: none"});
  CHECK(importing::repeated_layers(model) == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("layers of types that encode alike are one kind") {
  const Model model = importing::read_configuration(
      R"({"model_type": "olmo3", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 8})");
  CHECK(model.kinds.size() == 1);
  CHECK(model.kind_of_layer == std::vector<std::size_t>(8, 0));
}

TEST_CASE("a study has a row with the model's layers, as often as they take to repeat") {
  const std::string near = "{ use = \"rope\", set = { base = 10000.0, style = \"half-split\" } }";
  CHECK(rows_of(model_of("gemma-3")) == pattern(5, near,
                                                "{ use = \"rope\", set = { base = 1000000.0, style = "
                                                "\"half-split\", scaling = \"linear\", factor = 8.0 } }"));
  CHECK(rows_of(model_of("gemma-4")) == pattern(5, near,
                                                "{ use = \"rope\", set = { base = 1000000.0, style = "
                                                "\"half-split\", scaling = \"proportional\", p = 0.25 } }"));
  CHECK(rows_of(model_of("smollm-3")) ==
        pattern(3, "{ use = \"rope\", set = { base = 5000000.0, style = \"half-split\" } }", "\"none\""));
  CHECK(rows_of(model_of("command-a")) ==
        pattern(3, "{ use = \"rope\", set = { base = 50000.0, style = \"interleaved\" } }", "\"none\""));
  const Texts llama = rows_of(model_of("llama-4"));
  REQUIRE(llama.size() == 4);
  CHECK(llama[0] == llama[2]);
  CHECK_THAT(llama[0], check::contains("base = 500000.0, style = \"interleaved\", scaling = \"llama3\""));
  CHECK(llama[3] == "  { use = \"query-temperature\", set = { form = \"llama4\", scale = 0.1, length = 8192.0 } },");
  CHECK(rows_of(model_of("deepseek-v4")).size() == 5);  // of 6 layers the last is the first again
}

TEST_CASE("a model whose layers encode alike, or are an encoder's and a decoder's, has no row of layers") {
  for (const char* name : {"llama-2", "qwen-2-vl", "t5", "whisper", "vit"}) {
    CAPTURE(name);
    CHECK(rows_of(model_of(name)).empty());
    CHECK(importing::repeated_layers(model_of(name)).empty());
  }
}

TEST_CASE(
    "the row of layers is a stack's: an experiment that takes one comes with it, small and as deep as it repeats") {
  const std::string study = importing::study_text(model_of("gemma-3"), "a");
  CHECK_THAT(study, check::contains("use = \"first-position-bias\"\naxes = { d_model = 256, heads = 2, length = 128, "
                                    "depth = [1, 6] }"));
  CHECK_THAT(study, check::contains("label = \"the whole model\""));
  CHECK(importing::study_text(model_of("llama-2"), "a").find("first-position-bias") == std::string::npos);
}
