// SPDX-License-Identifier: Apache-2.0
// ReRoPE: RoPE up to a window; every key beyond it counts as being at the window's distance.
// Dimension letters: Nq queries, Nk keys, H heads, K head width.
#include <poslab/scheme.hpp>
#include <poslab/sdk/rotated_rows.hpp>

using namespace poslab;

struct ReRope {
  static constexpr Card card{
      .id = "rerope",
      .title = "Rectified rotary embedding",
      .version = "1.0",
      .paper = "Su 2023, kexue.fm/archives/9708 (released code: github.com/bojone/rerope)",
      .summary = "RoPE within a window; all farther keys are met at the window's distance.",
      .formula =
          "logit = (s_i q_i)^T Rot(-r w) k_j / sqrt(K), r = i - j where |i - j| < window, else window, "
          "s_i = max(1, ln(i + 1) / ln(training_length))",
      .used_in = "Llama 2 with ReRoPE",
      .real_positions = real_positions,
      .family = Family::rotary};
  static constexpr const char* styles[] = {"half-split", "interleaved"};
  enum class Style { half_split, interleaved };
  double base;
  std::optional<int> window, training_length;
  bool log_scale;
  Style style;
  static constexpr std::tuple params{
      real(&ReRope::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      integer(&ReRope::window, "window", unset, at_least(1),
              "distances from here on count as this one; unset: an eighth of the model's trained length")
          .usual({8, 4, 16, 2, 1, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 32, 64, 128, 256, 512, 1024})
          .in("position"),
      integer(&ReRope::training_length, "training_length", unset, at_least(2),
              "where queries begin to grow; unset: the model's trained length")
          .in("position"),
      flag(&ReRope::log_scale, "log_scale", true, "queries beyond training_length grow with the logarithm of i + 1"),
      choice(&ReRope::style, "style", styles, "which two channels are rotated together").as(Role::pairing)};
  Traits traits() const {
    const bool set = window && (training_length || !log_scale);
    return Traits()
        .claims((log_scale ? no_claims : relative | bounded) | (set ? length_free : no_claims))
        .mask(Mask::causal_only)
        .score_writes_logits();
  }

  std::vector<double> frequency;
  double far, trained;

  void prepare(const Model& m) {
    require(m.K % 2 == 0, "channels are rotated in pairs: rerope needs an even head width, not ", m.K);
    for (int i = 0; i < m.K / 2; ++i) frequency.push_back(std::pow(base, -2.0 * i / m.K));
    far = window ? *window : std::max(1.0, std::floor(static_cast<double>(m.train_length) / 8));
    trained = training_length ? *training_length : static_cast<double>(m.train_length);
    require(!log_scale || trained > 1, "queries grow by ln(i + 1) / ln(training_length): it must exceed 1, not ",
            trained, "; set training_length, or log_scale = false");
  }

  double growth(double position) const {
    return log_scale && position > 0 ? std::max(1.0, std::log(position + 1) / std::log(trained)) : 1;
  }

  template <class S>
  void score(const ScoreTile<S>& t) const {
    const Rotated<S> rows(*this, t);
    for (Index h = 0; h < t.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i) {
        const double position = t.query_positions[i];
        const S scale = S(t.scale * growth(position));
        const Row<const S> at_its_place = rows.q.row(h, i), at_the_window = rows.q_far.row(h, i);
        for (Index j = 0; j < t.key_positions.size(); ++j)
          t.logits(h, i, j) = scale * (near(position, t.key_positions[j]) ? dot(at_its_place, rows.k.row(h, j))
                                                                          : dot(at_the_window, t.key.row(h, j)));
      }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& t, Weights<const S>, const ScoreGradient<S>& gradient, Weights<S>) const {
    const Rotated<S> rows(*this, t);
    typename RotatedRows<S>::Gradient by_q(rows.q), by_q_far(rows.q_far), by_k(rows.k);
    for (Index h = 0; h < gradient.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i) {
        const double position = t.query_positions[i];
        const S scale = S(t.scale * growth(position));
        for (Index j = 0; j < t.key_positions.size(); ++j) {
          const S by_product = scale * gradient.logits(h, i, j);
          if (by_product == 0) continue;  // masked
          if (near(position, t.key_positions[j]))
            add_dot_gradient(by_product, rows.q.row(h, i), rows.k.row(h, j), by_q.row(h, i), by_k.row(h, j));
          else
            add_dot_gradient(by_product, rows.q_far.row(h, i), t.key.row(h, j), by_q_far.row(h, i),
                             gradient.key.row(h, j));
        }
      }
    by_q.add_to(gradient.query);
    by_q_far.add_to(gradient.query);
    by_k.add_to(gradient.key);
  }

 private:
  bool near(double query, double key) const { return std::abs(query - key) < far; }

  // Queries as near keys and as far ones meet them; far keys stay as they are.
  template <class S>
  struct Rotated {
    RotatedRows<S> q, q_far, k;

    Rotated(const ReRope& scheme, const ScoreTile<S>& t)
        : q(t.query, scheme.pairing(), scheme.frequency, [&](Index i) { return double(t.query_positions[i]); }),
          q_far(t.query, scheme.pairing(), scheme.frequency, [&](Index) { return scheme.far; }),
          k(t.key, scheme.pairing(), scheme.frequency, [&](Index j) { return double(t.key_positions[j]); }) {}
  };
  Pairing pairing() const { return style == Style::half_split ? Pairing::half_split : Pairing::interleaved; }
};
POSLAB_SCHEME(ReRope)
