// SPDX-License-Identifier: Apache-2.0
// Where readers of the old form and of the new one differ.
#include <cmath>
#include <nlohmann/json.hpp>

#include "configurations.hpp"

using namespace configurations;
using importing::Difference;
using importing::Form;

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
