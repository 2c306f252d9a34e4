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
      real(&SelfExtend::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about"),
      integer(&SelfExtend::group, "group", 8, at_least(1), "G: so many positions share a place beyond the window"),
      integer(&SelfExtend::window, "window", unset, at_least(1),
              "W: distances below it stay as they are; unset: a quarter of the trained length, in whole groups")
          .in("position"),
      real(&SelfExtend::scale_base, "scale_base", unset, above(1),
           "queries grow by max(1, ln(i + 1) / ln scale_base); unset: they do not"),
      choice(&SelfExtend::style, "style", styles, "which two channels are rotated together")};
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
    const Pairing pairing = style == Style::half_split ? Pairing::half_split : Pairing::interleaved;
    const double shift = near_limit - near_limit / group;
    const auto query_at = [&](Index i) { return double(t.query_positions[i]); };
    const auto key_at = [&](Index j) { return double(t.key_positions[j]); };
    const RotatedRows<S> q(t.query, pairing, frequency, query_at), k(t.key, pairing, frequency, key_at),
        q_far(t.query, pairing, frequency, [&](Index i) { return grouped(query_at(i)) + shift; }),
        k_far(t.key, pairing, frequency, [&](Index j) { return grouped(key_at(j)); });
    for (Index h = 0; h < t.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i) {
        const S scale = S(t.scale * growth(query_at(i)));
        const Row<const S> at_its_place = q.row(h, i), grouped_query = q_far.row(h, i);
        for (Index j = 0; j < t.key_positions.size(); ++j) {
          const bool near = query_at(i) - key_at(j) < near_limit;
          t.logits(h, i, j) = scale * (near ? dot(at_its_place, k.row(h, j)) : dot(grouped_query, k_far.row(h, j)));
        }
      }
  }
};
POSLAB_SCHEME(SelfExtend)
