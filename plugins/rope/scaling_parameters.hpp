// SPDX-License-Identifier: Apache-2.0
// The parameters of RoPE's scalings to longer contexts: what each is called, where it may lie, which scaling uses it.
#pragma once

#include <algorithm>
#include <initializer_list>

#include <poslab/scheme.hpp>

namespace poslab {

struct ScalingParameters {
  enum Kind { none, linear, ntk, dynamic_ntk, by_parts, yarn, dynamic_yarn, longrope, llama3, proportional };
  enum class Lists { by_length, by_limit };
  static constexpr const char* names[] = {"none", "linear",       "ntk",      "dynamic-ntk", "ntk-by-parts",
                                          "yarn", "dynamic-yarn", "longrope", "llama3",      "proportional"};
  static constexpr const char* list_names[] = {"by-length", "by-limit"};
  double base;
  Kind scaling;
  std::optional<double> factor, alpha, beta_fast, beta_slow, attention_factor, mscale, mscale_all_dim;
  std::optional<double> low_freq_factor, high_freq_factor, p;
  std::optional<int> original_max_position_embeddings, max_position_embeddings;
  bool truncate;
  std::optional<std::vector<double>> short_factor, long_factor;
  std::optional<Lists> lists;

  static constexpr std::tuple scaling_params{
      choice(&ScalingParameters::scaling, "scaling", names, "how frequencies change for contexts longer than trained"),
      real(&ScalingParameters::factor, "factor", unset, at_least(1),
           "s, how many times longer; unset: linear, dynamic-ntk, proportional 1, llama3 8, else needed")
          .usual({2, 4, 8, 16, 32, 64, 40, 20, 10, 3, 6, 1}),
      real(&ScalingParameters::alpha, "alpha", unset, at_least(1), "ntk: what divides the lowest frequency; unset: 1")
          .usual({2, 4, 8, 16, 1000, 10, 32, 1}),
      integer(&ScalingParameters::original_max_position_embeddings, "original_max_position_embeddings", unset,
              at_least(1), "L, the length before it was made longer; unset: the model's trained length")
          .in("position"),
      integer(&ScalingParameters::max_position_embeddings, "max_position_embeddings", unset, at_least(1),
              "dynamic-ntk: where scaling begins (unset: the trained length); longrope: the longest, needed")
          .in("position"),
      real(&ScalingParameters::beta_fast, "beta_fast", unset, above(0),
           "yarn: planes that rotate more often than this in L keep their frequency; unset: 32")
          .usual({32, 16, 64}),
      real(&ScalingParameters::beta_slow, "beta_slow", unset, above(0),
           "yarn: planes that rotate less often than this in L are divided by the factor; unset: 1")
          .usual({1, 2, 4}),
      flag(&ScalingParameters::truncate, "truncate", true, "yarn: the planes between are counted from whole planes"),
      real(&ScalingParameters::attention_factor, "attention_factor", unset, above(0),
           "yarn, longrope: by how much q and k stretch; unset: as the paper has it")
          .as(Role::factor),
      real(&ScalingParameters::mscale, "mscale", unset, at_least(0),
           "yarn: q and k stretch by (0.1 mscale ln s + 1) / "
           "(0.1 mscale_all_dim ln s + 1); unset: 1")
          .usual({1, 0.707, 0.8}),
      real(&ScalingParameters::mscale_all_dim, "mscale_all_dim", unset, at_least(0),
           "yarn: logits are scaled by (0.1 mscale_all_dim ln s + 1)^2, too; unset: 0")
          .usual({1, 0.707, 0.8}),
      list(&ScalingParameters::short_factor, "short_factor", unset, at_least(1),
           "longrope: what divides each plane up to L"),
      list(&ScalingParameters::long_factor, "long_factor", unset, at_least(1),
           "longrope: what divides each plane beyond L"),
      choice(&ScalingParameters::lists, "lists", list_names, unset,
             "longrope: long_factor if the context exceeds L, or (by-limit) if max_position_embeddings does; unset: "
             "by-length"),
      real(&ScalingParameters::low_freq_factor, "low_freq_factor", unset, above(0),
           "llama3: wavelengths above L over this are divided by the factor; unset: 1"),
      real(&ScalingParameters::high_freq_factor, "high_freq_factor", unset, above(0),
           "llama3: wavelengths below L over this are kept; unset: 4"),
      real(&ScalingParameters::p, "p", unset, between(0, 1),
           "proportional: the part of the planes that rotates; unset: 0.75")
          .usual({0.75, 0.5, 0.25, 0.0, 1.0})};

  /// A parameter that is set but means nothing to the chosen scaling is refused by name.
  void refuse_what_is_unused() const {
    using Used = std::initializer_list<Kind>;
    const auto used_by = [&](const char* name, bool set, Used kinds) {
      require(!set || std::find(kinds.begin(), kinds.end(), scaling) != kinds.end(), "scaling \"", names[scaling],
              "\" does not use ", name, ": leave it unset, or choose another scaling");
    };
    used_by("factor", factor.has_value(), {linear, dynamic_ntk, by_parts, yarn, llama3, proportional});
    used_by("alpha", alpha.has_value(), {ntk});
    used_by("original_max_position_embeddings", original_max_position_embeddings.has_value(),
            {by_parts, yarn, dynamic_yarn, longrope, llama3});
    used_by("max_position_embeddings", max_position_embeddings.has_value(), {dynamic_ntk, longrope});
    used_by("beta_fast", beta_fast.has_value(), {yarn, dynamic_yarn});
    used_by("beta_slow", beta_slow.has_value(), {yarn, dynamic_yarn});
    used_by("truncate", !truncate, {yarn, dynamic_yarn});
    used_by("attention_factor", attention_factor.has_value(), {yarn, longrope});
    used_by("mscale", mscale.has_value(), {yarn});
    used_by("mscale_all_dim", mscale_all_dim.has_value(), {yarn});
    used_by("short_factor", short_factor.has_value(), {longrope});
    used_by("long_factor", long_factor.has_value(), {longrope});
    used_by("lists", lists.has_value(), {longrope});
    used_by("low_freq_factor", low_freq_factor.has_value(), {llama3});
    used_by("high_freq_factor", high_freq_factor.has_value(), {llama3});
    used_by("p", p.has_value(), {proportional});
    require(!attention_factor || !mscale, "attention_factor and mscale both say how far q and k stretch: set one");
  }
};

}  // namespace poslab
