// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "planted.hpp"

namespace planted {
namespace {

using poslab::data::Values;
using poslab::host::Model;

constexpr Index tokens = 40, few_tokens = 20, fewest_tokens = 16;

Array<double> line(Index N, double step = 1) {
  Array<double> positions{N, 1};
  for (Index n = 0; n < N; ++n) positions(n, 0) = step * static_cast<double>(n);
  return positions;
}
// Row by row; no square.
Array<double> grid(const std::vector<Index>& extents) {
  Index N = 1;
  for (const Index extent : extents) N *= extent;
  Array<double> positions{N, static_cast<Index>(extents.size())};
  for (Index n = 0; n < N; ++n) {
    Index rest = n;
    for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis])
      positions(n, static_cast<Index>(axis)) = static_cast<double>(rest % extents[axis]);
  }
  return positions;
}
Model heads(Index H, Index K) { return {.model_width = H * K, .heads = H, .train_length = 512}; }

}  // namespace

std::vector<Subject> subjects() {
  const std::string halves = "half-split";
  std::vector<Subject> all;
  // What takes long, and shows nothing that others do not.
  const std::set<std::string> costly{"alibi, symmetric", "t5, no weights", "rope, logits",  "shaw",
                                     "transformer-xl",   "deberta",        "rope, outputs", "alibi"};
  const auto add = [&](const std::string& name, const std::string& scheme, const Values& parameters, Shows shows,
                       const Model& model, Array<double> positions, bool causal = false, bool gives_weights = true) {
    all.push_back(
        {name, {scheme, parameters}, shows, model, std::move(positions), gives_weights, causal, costly.contains(name)});
  };
  // Rotary schemes: cosines and sines, vectors before and after.
  add("rope, cos sin", "rope", {{"base", 5e5}}, Shows::planes, heads(1, 32), line(tokens));
  add("rope, q k", "rope", {{"style", halves}}, Shows::rotated, heads(2, 16), line(tokens));
  add("rope of a part", "rope", {{"style", halves}, {"rotary_width", std::int64_t{16}}}, Shows::rotated, heads(2, 32),
      line(tokens));
  add("rope, Llama 3", "rope",
      {{"base", 5e5},
       {"scaling", std::string("llama3")},
       {"factor", 8.0},
       {"original_max_position_embeddings", std::int64_t{8192}}},
      Shows::planes, heads(1, 64), line(tokens, 100));
  add("rope, YaRN", "rope",
      {{"scaling", std::string("yarn")}, {"factor", 4.0}, {"original_max_position_embeddings", std::int64_t{4096}}},
      Shows::planes, heads(1, 32), line(tokens));
  add("xpos", "xpos", {}, Shows::rotated, heads(2, 16), line(tokens), true);
  add("retnet", "retnet", {}, Shows::rotated, heads(2, 16), line(tokens), true);
  add("rope-2d", "rope-2d", {}, Shows::rotated, heads(2, 16), grid({4, 7}));
  add("rope-nd", "rope-nd", {}, Shows::rotated, heads(2, 16), grid({4, 7}));
  add("m-rope", "m-rope", {}, Shows::rotated, heads(2, 16), grid({2, 3, 5}));
  add("axial-normalised", "axial-normalised", {{"grid", std::vector<double>{4, 7}}}, Shows::rotated, heads(2, 16),
      grid({4, 7}));
  add("resonance", "resonance", {}, Shows::planes, heads(1, 16), line(tokens));
  add("v-jepa-2", "v-jepa-2", {}, Shows::rotated, heads(2, 24), grid({2, 3, 5}));
  // Tables that are added.
  add("sinusoidal", "sinusoidal", {}, Shows::table, heads(1, 32), line(tokens));
  add("sincos-2d", "sincos-2d", {}, Shows::table, heads(1, 32), grid({4, 7}));
  add("fourier", "fourier", {{"num_bands", std::int64_t{6}}, {"max_resolution", std::vector<double>{4, 7}}},
      Shows::table, heads(1, 26), grid({4, 7}));
  add("complex-order", "complex-order", {{"vocabulary", std::int64_t{12}}}, Shows::table, heads(1, 8), line(12));
  // Biases.
  add("alibi", "alibi", {}, Shows::bias, heads(8, 8), line(few_tokens), true);
  add("alibi of 12", "alibi", {}, Shows::bias, heads(12, 8), line(few_tokens), true);
  add("alibi, symmetric", "alibi", {{"form", std::string("symmetric")}}, Shows::bias, heads(8, 8), line(few_tokens));
  add("t5", "t5", {{"bidirectional", true}}, Shows::bias, heads(4, 8), line(tokens));
  add("t5, no weights", "t5", {{"bidirectional", true}}, Shows::bias, heads(4, 8), line(tokens), false, false);
  add("kerple", "kerple", {}, Shows::bias, heads(4, 8), line(few_tokens));
  add("sandwich", "sandwich", {}, Shows::bias, heads(4, 8), line(few_tokens), true);
  add("fire", "fire", {}, Shows::bias, heads(4, 8), line(few_tokens), true);
  add("swin", "swin", {{"window", std::vector<double>{4, 5}}}, Shows::bias, heads(4, 8), grid({4, 5}));
  // Logits, with their queries and keys.
  add("rope, logits", "rope", {}, Shows::logits, heads(2, 16), line(few_tokens), true);
  add("shaw", "shaw", {}, Shows::logits, heads(2, 8), line(few_tokens));
  add("transformer-xl", "transformer-xl", {}, Shows::logits, heads(2, 8), line(few_tokens), true);
  add("deberta", "deberta", {{"position_buckets", std::int64_t{8}}, {"max_relative_positions", std::int64_t{16}}},
      Shows::logits, heads(2, 8), line(few_tokens));
  add("music-transformer", "music-transformer", {{"max_distance", std::int64_t{32}}}, Shows::logits, heads(2, 8),
      line(few_tokens), true);
  add("rerope", "rerope", {{"window", std::int64_t{8}}}, Shows::logits, heads(2, 16), line(few_tokens), true);
  // Outputs of attention.
  add("alibi, outputs", "alibi", {}, Shows::outputs, heads(4, 8), line(fewest_tokens), true);
  add("rope, outputs", "rope", {}, Shows::outputs, heads(2, 16), line(fewest_tokens), true);
  return all;
}

}  // namespace planted
