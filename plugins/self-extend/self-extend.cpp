// SPDX-License-Identifier: Apache-2.0
// Self-Extend: RoPE for near keys; farther ones at positions divided by a group size, so that no distance is untrained.
// Dimension letters: Nq queries, Nk keys, H heads, K head width, G group, W window.
#include <poslab/scheme.hpp>
#include <poslab/sdk/rotated_rows.hpp>

using namespace poslab;

struct SelfExtend {
  static constexpr Card card{
      .id = "self-extend",
      .title = "Self-Extend",
      .version = "1.0",
      .paper = "Jin et al. 2024, arXiv:2401.01325",
      .summary = "RoPE within a window; farther keys by floored positions, so that many share a distance.",
      .formula = "RoPE at i - j where i - j < W, else at floor(i/G) + W - W/G and floor(j/G)",
      .used_in = "Llama 2, Mistral and Phi-2 with LongLM",
      .family = Family::rotary};
  static constexpr const char* styles[] = {"half-split", "interleaved"};
  enum class Style { half_split, interleaved };
  double base;
  int group;
  std::optional<int> window;
  std::optional<double> scale_base;
  Style style;
  static constexpr std::tuple params{
      real(&SelfExtend::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      integer(&SelfExtend::group, "group", 8, at_least(1), "G: so many positions share one beyond the window")
          .usual({8, 4, 16, 2, 1, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 32, 64, 128, 256, 512, 1024}),
      integer(&SelfExtend::window, "window", unset, at_least(1),
              "W: distances below it stay as they are; unset: a quarter of the trained length, in whole groups")
          .usual({8, 4, 16, 2, 1, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 32, 64, 128, 256, 512, 1024})
          .in("position"),
      real(&SelfExtend::scale_base, "scale_base", unset, above(1),
           "queries grow by max(1, ln(i + 1) / ln scale_base); unset: they do not")
          .usual({512, 64, 16, 2048}),
      choice(&SelfExtend::style, "style", styles, "which two channels are rotated together").as(Role::pairing)};
  Traits traits() const {
    return Traits()
        .claims((window ? length_free : no_claims) | (scale_base ? no_claims : bounded) |
                (group == 1 && !scale_base ? relative : no_claims))
        .mask(Mask::causal_only)
        .score_writes_logits();
  }

  std::vector<double> frequency;
  double near_limit;  // W

  void prepare(const Model& m) {
    require(m.K % 2 == 0, "channels are rotated in pairs: self-extend needs an even head width, not ", m.K);
    for (int i = 0; i < m.K / 2; ++i) frequency.push_back(std::pow(base, -2.0 * i / m.K));
    const double groups = std::floor(static_cast<double>(m.train_length) / 4 / group);
    near_limit = window ? *window : group * std::max(1.0, groups);
  }

  double grouped(double position) const { return std::floor(position / group); }
  double growth(double position) const {
    return scale_base && position > 0 ? std::max(1.0, std::log(position + 1) / std::log(*scale_base)) : 1;
  }

  template <class S>
  void score(const ScoreTile<S>& t) const {
    const Rotated<S> rows(*this, t);
    for (Index h = 0; h < t.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i) {
        const S scale = S(t.scale * growth(t.query_positions[i]));
        const Row<const S> at_its_place = rows.q.row(h, i), grouped_query = rows.q_far.row(h, i);
        for (Index j = 0; j < t.key_positions.size(); ++j)
          t.logits(h, i, j) =
              scale * (near(t.query_positions[i], t.key_positions[j]) ? dot(at_its_place, rows.k.row(h, j))
                                                                      : dot(grouped_query, rows.k_far.row(h, j)));
      }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& t, Weights<const S>, const ScoreGradient<S>& gradient, Weights<S>) const {
    const Rotated<S> rows(*this, t);
    typename RotatedRows<S>::Gradient by_q(rows.q), by_k(rows.k), by_q_far(rows.q_far), by_k_far(rows.k_far);
    for (Index h = 0; h < gradient.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i) {
        const S scale = S(t.scale * growth(t.query_positions[i]));
        for (Index j = 0; j < t.key_positions.size(); ++j) {
          const S by_product = scale * gradient.logits(h, i, j);
          if (by_product == 0) continue;  // masked
          if (near(t.query_positions[i], t.key_positions[j]))
            add_dot_gradient(by_product, rows.q.row(h, i), rows.k.row(h, j), by_q.row(h, i), by_k.row(h, j));
          else
            add_dot_gradient(by_product, rows.q_far.row(h, i), rows.k_far.row(h, j), by_q_far.row(h, i),
                             by_k_far.row(h, j));
        }
      }
    by_q.add_to(gradient.query);
    by_q_far.add_to(gradient.query);
    by_k.add_to(gradient.key);
    by_k_far.add_to(gradient.key);
  }

 private:
  bool near(double query, double key) const { return query - key < near_limit; }

  // Queries and keys as they meet when near, and when far.
  template <class S>
  struct Rotated {
    RotatedRows<S> q, k, q_far, k_far;

    Rotated(const SelfExtend& scheme, const ScoreTile<S>& t)
        : q(t.query, scheme.pairing(), scheme.frequency, [&](Index i) { return double(t.query_positions[i]); }),
          k(t.key, scheme.pairing(), scheme.frequency, [&](Index j) { return double(t.key_positions[j]); }),
          q_far(t.query, scheme.pairing(), scheme.frequency,
                [&](Index i) { return scheme.grouped(t.query_positions[i]) + scheme.shift(); }),
          k_far(t.key, scheme.pairing(), scheme.frequency,
                [&](Index j) { return scheme.grouped(t.key_positions[j]); }) {}
  };
  Pairing pairing() const { return style == Style::half_split ? Pairing::half_split : Pairing::interleaved; }
  double shift() const { return near_limit - near_limit / group; }
};
POSLAB_SCHEME(SelfExtend)
