// SPDX-License-Identifier: Apache-2.0
// Parameters of RoPE's scalings: those that a scaling does not use, and those that make no sense, are refused.
// Dimension letters: R rotary width (here all of the head), L trained length.
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"
#include "scaled_rope.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using namespace scaled_rope;

TEST_CASE("rope: a parameter that the scaling does not use is refused by name") {
  const std::vector<std::pair<std::string, Value>> parameters{{"factor", real(2)},
                                                              {"alpha", real(2)},
                                                              {"original_max_position_embeddings", whole(64)},
                                                              {"max_position_embeddings", whole(128)},
                                                              {"beta_fast", real(16)},
                                                              {"beta_slow", real(2)},
                                                              {"truncate", Value(false)},
                                                              {"attention_factor", real(1.5)},
                                                              {"mscale", real(1)},
                                                              {"mscale_all_dim", real(1)},
                                                              {"short_factor", numbers({1, 1, 1, 1})},
                                                              {"long_factor", numbers({2, 2, 2, 2})},
                                                              {"lists", Value(std::string("by-limit"))},
                                                              {"low_freq_factor", real(1)},
                                                              {"high_freq_factor", real(8)},
                                                              {"p", real(0.5)}};
  for (const std::string scaling : {"none", "linear", "ntk", "dynamic-ntk", "llama3", "proportional"})
    for (const auto& [name, value] : parameters) {
      const bool used =
          (scaling == "linear" && name == "factor") || (scaling == "ntk" && name == "alpha") ||
          (scaling == "dynamic-ntk" && (name == "factor" || name == "max_position_embeddings")) ||
          (scaling == "llama3" && (name == "factor" || name == "low_freq_factor" || name == "high_freq_factor" ||
                                   name == "original_max_position_embeddings")) ||
          (scaling == "proportional" && (name == "p" || name == "factor"));
      CAPTURE(scaling, name);
      if (used)
        CHECK_NOTHROW(rope(scaled(scaling, {{name, value}}), 8));
      else
        CHECK_THROWS_WITH(rope(scaled(scaling, {{name, value}}), 8),
                          check::contains("scaling \"" + scaling + "\" does not use " + name));
    }
}

TEST_CASE("rope: scalings that make no sense are refused with the reason") {
  const auto refused = [](const Values& values, const std::string& words, Index R = 8, Index L = 64) {
    CHECK_THROWS_WITH(rope(values, R, L), check::contains(words));
  };
  refused(scaled("yarn"), "\"yarn\" needs factor");
  refused(scaled("yarn", {{"factor", real(1)}}), "a factor above 1, not 1");
  refused(scaled("yarn", {{"factor", real(2)}, {"beta_fast", real(1)}}), "beta_fast must exceed beta_slow: 1 does not");
  refused(scaled("yarn", {{"factor", real(2)}, {"base", real(1)}}), "a base above 1, not 1");
  refused(scaled("yarn", {{"factor", real(2)}, {"base", real(7)}}), "choose another length or base", 8, 100000000);
  refused(scaled("yarn", {{"factor", real(2)}, {"mscale", real(1)}, {"attention_factor", real(1)}}), "set one");
  refused(scaled("ntk-by-parts"), "needs factor");
  refused(scaled("ntk"), "rotary width of at least 4, not 2", 2);
  refused(scaled("dynamic-ntk"), "rotary width of at least 4, not 2", 2);
  refused(scaled("llama3", {{"high_freq_factor", real(1)}}),
          "high_freq_factor must exceed low_freq_factor: 1 does not");
  refused(scaled("longrope"), "\"longrope\" needs short_factor");
  Values lists{{"short_factor", numbers({1, 1, 1, 1})}, {"long_factor", numbers({2, 2, 2})}};
  refused(scaled("longrope", lists), "long_factor must have one number for each of the 4 planes, not 3");
  lists.set("long_factor", numbers({2, 2, 2, 2}));
  refused(scaled("longrope", lists), "needs max_position_embeddings");
  lists.set("max_position_embeddings", whole(128));
  CHECK_NOTHROW(rope(scaled("longrope", lists), 8));
  lists.set("long_factor", numbers({2, 2, 0.5, 2}));
  CHECK_THROWS_AS(rope(scaled("longrope", lists), 8), base::Error);
  CHECK_THROWS_AS(rope(scaled("linear", {{"factor", real(0.5)}}), 8), base::Error);
  CHECK_THROWS_AS(rope(scaled("proportional", {{"p", real(1.5)}}), 8), base::Error);
}
