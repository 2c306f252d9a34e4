// SPDX-License-Identifier: Apache-2.0
// What is no configuration, and configurations with any value in any place.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "configurations.hpp"
#include "scratch.hpp"

using namespace configurations;

namespace {

base::Error::Kind refusal_of(const std::string& text) {
  try {
    importing::read_configuration(text);
  } catch (const base::Error& error) {
    return error.kind;
  }
  FAIL("not refused: " << text);
  return {};
}

constexpr base::Error::Kind damaged = base::Error::Kind::damaged, request = base::Error::Kind::request;

}  // namespace

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
  CHECK(refusal_of(llama(R"("partial_rotary_factor": 1e300)")) == request);
  CHECK(refusal_of(R"({"model_type": "roberta", "hidden_size": 64, "num_attention_heads": 4, "pad_token_id": 0.5,
                       "max_position_embeddings": 8})") == request);
  CHECK(refusal_of(R"({"model_type": "roberta", "hidden_size": 64, "num_attention_heads": 4, "pad_token_id": 1e300,
                       "max_position_embeddings": 8})") == request);
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

TEST_CASE("a path that cannot be followed is the file's problem") {
  const check::Scratch scratch;
  std::filesystem::create_symlink("loop", scratch.path / "loop");
  for (const std::string& name : {std::string("loop"), std::string("loop/config.json"), std::string(300, 'x')}) {
    CAPTURE(name);
    CHECK_THROWS_AS(importing::read_model((scratch.path / name).string()), base::FileError);
  }
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
