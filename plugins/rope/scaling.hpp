// SPDX-License-Identifier: Apache-2.0
// The chosen scaling of RoPE to longer contexts: what it refuses, and the planes that it gives.
// Dimension letters: R rotary width, K head width.
#pragma once

#include "frequencies.hpp"
#include "scaling_parameters.hpp"

namespace poslab {

/// By how much a position rotates each plane, and by how much all of them stretch.
struct Planes {
  Frequencies frequency;
  double magnitude = 1;

  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    sines_and_cosines(p, frequency, sines, cosines);
    if (magnitude == 1) return;
    for (double& x : cosines) x *= magnitude;
    for (double& x : sines) x *= magnitude;
  }
};

struct RopeScaling : ScalingParameters {
  /// To be called once, when the parameters are in their members.
  void prepare_scaling(int R, const Model& model) {
    require(R <= model.K && R % 2 == 0,
            "channels are rotated in pairs: the rotary width must be even and at most the head width ", model.K,
            ", not ", R);
    R_ = R;
    train_length_ = static_cast<double>(model.train_length);
    refuse_what_is_unused();
    refuse_what_is_wrong();
    planes = planes_at(0);
  }

  /// Whether the planes depend on the length of the context; else `planes` holds for every length.
  bool by_length() const {
    return scaling == dynamic_ntk || scaling == dynamic_yarn ||
           (scaling == longrope && lists.value_or(Lists::by_length) == Lists::by_length);
  }
  Planes planes;

  Planes planes_at(Index length) const {
    const Frequencies w = powers(base, R_);
    const double s = factor.value_or(scaling == llama3 ? 8 : 1), T = static_cast<double>(length);
    switch (scaling) {
      case none: return {w};
      case linear: return {divided(w, s)};
      case ntk: return {powers(ntk_base(base, alpha.value_or(1), R_), R_)};
      case dynamic_ntk: return {powers(ntk_base(base, dynamic_alpha(s, T, limit()), R_), R_)};
      case by_parts: return {poslab::ntk_by_parts(base, R_, s, slow_range(), fast_range())};
      case yarn: return {poslab::yarn(base, R_, s, yarn_range()), yarn_stretch(s)};
      case dynamic_yarn:
        if (T <= L()) return {w};
        return {poslab::yarn(base, R_, T / L(), yarn_range()), yarn_magnitude(T / L())};
      case longrope:
        return {divided(w, long_list_at(T) ? *long_factor : *short_factor),
                attention_factor.value_or(longrope_magnitude(limit() / L(), L()))};
      case llama3: return {poslab::llama3(w, s, low_freq_factor.value_or(1), high_freq_factor.value_or(4), L())};
      case proportional: return {divided(poslab::proportional(w, p.value_or(0.75)), s)};
    }
    return {w};
  }

  Traits scaling_traits(const Model& model) const {
    const bool stretches = R_ > 0 && (scaling == dynamic_yarn || planes.magnitude != 1);
    const double t = scaling == yarn ? yarn_magnitude(*factor, mscale_all_dim.value_or(0)) : 1;
    return Traits()
        .claims(relative | content_free | bounded | (stretches ? no_claims : isometry) |
                (by_length() || takes_trained_length() ? no_claims : length_free))
        .logit_scale(t == 1 ? 0 : t * t / std::sqrt(model.K))
        .inverse_frequency(by_length() ? Frequencies() : planes.frequency);
  }

 private:
  double length_or_trained(const std::optional<int>& length) const { return length ? *length : train_length_; }
  double L() const { return length_or_trained(original_max_position_embeddings); }
  double limit() const { return length_or_trained(max_position_embeddings); }
  bool takes_trained_length() const {
    const bool needs_L = scaling == by_parts || scaling == yarn || scaling == longrope || scaling == llama3;
    return needs_L && !original_max_position_embeddings;
  }
  PlaneRange yarn_range() const {
    return plane_range(beta_fast.value_or(32), beta_slow.value_or(1), L(), base, R_, truncate);
  }
  PlaneRange slow_range() const { return plane_range(1.25, 0.75, L(), base, R_); }
  PlaneRange fast_range() const { return plane_range(16, 2, L(), base, R_); }
  double yarn_stretch(double s) const {
    return attention_factor.value_or(yarn_magnitude(s, mscale.value_or(1)) /
                                     yarn_magnitude(s, mscale_all_dim.value_or(0)));
  }
  bool long_list_at(double length) const { return (by_length() ? length : limit()) > L(); }

  void refuse_what_is_wrong() const {
    if (scaling == ntk || scaling == dynamic_ntk || scaling == by_parts)
      require(R_ > 2, "NTK's base is base alpha^(R/(R-2)): it needs a rotary width of at least 4, not ", R_);
    if (scaling == by_parts) require(factor.has_value(), "scaling \"ntk-by-parts\" needs factor");
    if (scaling == yarn) {
      require(factor.has_value(), "scaling \"yarn\" needs factor, how many times longer the context gets");
      require(*factor > 1, "scaling \"yarn\" needs a factor above 1, not ", *factor);
    }
    if (scaling == longrope) refuse_lists();
    if (scaling == llama3) {
      const double low = low_freq_factor.value_or(1), high = high_freq_factor.value_or(4);
      require(high > low, "high_freq_factor must exceed low_freq_factor: ", high, " does not exceed ", low);
    }
    if (scaling == yarn || scaling == dynamic_yarn) {
      const double fast = beta_fast.value_or(32), slow = beta_slow.value_or(1);
      require(fast > slow, "beta_fast must exceed beta_slow: ", fast, " does not exceed ", slow);
      refuse_range(yarn_range());
    }
    if (scaling == by_parts) refuse_range(slow_range()), refuse_range(fast_range());
  }

  void refuse_lists() const {
    for (const auto& [name, numbers] : {std::pair{"short_factor", &short_factor}, {"long_factor", &long_factor}}) {
      require(numbers->has_value(), "scaling \"longrope\" needs ", name, ", one number a plane");
      require((*numbers)->size() == static_cast<std::size_t>(R_ / 2), name, " must have one number for each of the ",
              R_ / 2, " planes, not ", (*numbers)->size());
    }
    require(max_position_embeddings.has_value(), "scaling \"longrope\" needs max_position_embeddings");
    require(L() > 1, "longrope's stretch divides by ln of the original length, which must exceed 1");
  }

  void refuse_range(const PlaneRange& range) const {
    require(base > 1, "scaling \"", names[scaling], "\" needs a base above 1, not ", base);
    require(R_ == 0 || range.first <= range.last, "scaling \"", names[scaling], "\": with base ", base,
            " and an original length of ", L(), " no plane of ", R_ / 2,
            " lies between the fast and the slow ones; choose another length or base");
  }

  int R_ = 0;
  double train_length_ = 0;
};

}  // namespace poslab
