// SPDX-License-Identifier: Apache-2.0
// Configurations of models, and short ways to ask what they come to.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "poslab/import/model.hpp"

namespace configurations {

using namespace poslab;
using importing::LayerKind;
using importing::Limit;
using importing::Model;
using Texts = std::vector<std::string>;

/// configurations/<name>.json
inline std::string text_of(const std::string& name) {
  std::ifstream file(std::string(POSLAB_SOURCE_DIR) + "/tests/unit/import/configurations/" + name + ".json");
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Model model_of(const std::string& name) { return importing::read_configuration(text_of(name)); }

/// "sliding_attention: rope(base=10000.0, style=half-split)"
inline Texts kinds_of(const Model& model) {
  Texts kinds;
  for (const LayerKind& kind : model.kinds)
    kinds.push_back((kind.name.empty() ? "" : kind.name + ": ") + importing::variant_text(kind));
  return kinds;
}

inline bool has(const Model& model, Limit::Kind kind) {
  return std::any_of(model.limits.begin(), model.limits.end(), [&](const Limit& limit) { return limit.kind == kind; });
}

/// A configuration of llama with these keys more.
inline std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, )" + keys +
         "}";
}

}  // namespace configurations
