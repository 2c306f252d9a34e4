// SPDX-License-Identifier: Apache-2.0
// Tables of a scaling as parameters of rope.
#include <cmath>

#include "configurations.hpp"

using namespace configurations;

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

TEST_CASE("transformers 4 leaves DeepSeek-V2's logits as they are, and 5 scales them") {
  const Model model = importing::read_configuration(
      R"({"model_type": "deepseek_v2", "hidden_size": 64, "num_attention_heads": 4, "qk_rope_head_dim": 16,
          "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 0.707,
                           "mscale_all_dim": 0.707}})");
  CHECK(model.kinds.front().set.real("attention_factor") == 1);
  CHECK_FALSE(model.kinds.front().set.contains("mscale_all_dim"));
  const auto by_5 = [&](const std::string& parameter) {
    for (const importing::Difference& one : model.differences)
      if (one.parameter == parameter) return one.by_transformers_5;
    return data::Value{};
  };
  CHECK(by_5("mscale_all_dim") == data::Value(0.707));
  CHECK(by_5("mscale") == data::Value(0.707));
}

TEST_CASE("the factor of a proportional scaling divides what rotates") {
  const auto of = [](const std::string& factor) {
    return kinds_of(importing::read_configuration(
        llama(R"("rope_parameters": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25)" +
              factor + "}")));
  };
  const std::string plain = "rope(base=1000000.0, style=half-split, scaling=proportional, p=0.25";
  CHECK(of(R"(, "factor": 8.0)") == Texts{plain + ", factor=8.0)"});
  CHECK(of(R"(, "factor": 1.0)") == Texts{plain + ")"});
  CHECK(of("") == Texts{plain + ")"});
  CHECK_THROWS_AS(of(R"(, "factor": 0.5)"), base::Error);
}

TEST_CASE("yarn by a factor of 1 changes nothing") {
  const Model model = importing::read_configuration(
      llama(R"("max_position_embeddings": 4096, "rope_scaling": {"type": "yarn", "factor": 1.0})"));
  CHECK(kinds_of(model) == Texts{"rope(base=10000.0, style=half-split)"});
}
