// SPDX-License-Identifier: Apache-2.0
// Dual chunk attention: RoPE with positions that begin anew with every chunk. A query meets keys of its own chunk, of
// the one before and of all others at three places of its own, so that no distance is longer than the trained ones.
// Dimension letters: H heads, K head width, C chunk size, L local size, s = C - L the length of a chunk.
#include <poslab/scheme.hpp>
#include <poslab/sdk/rotated_rows.hpp>

using namespace poslab;

struct DualChunk {
  static constexpr Card card{
      .id = "dual-chunk",
      .title = "Dual chunk attention",
      .version = "1.0",
      .paper = "An et al. 2024, arXiv:2402.17463",
      .summary = "RoPE in chunks: queries have one place for their own chunk, one for the last, one for all before.",
      .formula =
          "logit = t q_i^T Rot((j mod s - p) w) k_j / sqrt(K), s = C - L; p = i mod s in its own chunk, min(i mod s "
          "+ s, C) for the chunk before, min(2s - 1, C) for all others",
      .used_in = "Qwen2.5-1M, ChunkLlama",
      .family = Family::rotary};
  static constexpr const char* styles[] = {"half-split", "interleaved"};
  enum class Style { half_split, interleaved };
  static constexpr const char* temperatures[] = {"none", "keys", "both"};
  enum class Temperature { none, keys, both };
  double base;
  std::optional<int> chunk_size, local_size, original_length;
  Temperature temperature;
  Style style;
  static constexpr std::tuple params{
      real(&DualChunk::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      integer(&DualChunk::chunk_size, "chunk_size", unset, at_least(1),
              "C: no distance is longer; unset: three quarters of the model's trained length")
          .in("position"),
      integer(&DualChunk::local_size, "local_size", unset, at_least(0),
              "L: how far keys of the chunk before are met at their distance; unset: a sixteenth of the trained length")
          .in("position"),
      choice(&DualChunk::temperature, "temperature", temperatures,
             "whether 0.1 ln(n / original_length) + 1, n the length of the context, stretches keys, or both sides"),
      integer(&DualChunk::original_length, "original_length", unset, at_least(1),
              "contexts longer than this are stretched; unset: the model's trained length")
          .in("position"),
      choice(&DualChunk::style, "style", styles, "which two channels are rotated together").as(Role::pairing)};
  Traits traits() const {
    return Traits()
        .claims(temperature != Temperature::none ? no_claims
                : chunk_size && local_size       ? bounded | length_free
                                                 : bounded)
        .mask(Mask::causal_only)
        .score_writes_logits();
  }

  std::vector<double> frequency;
  double C, s, trained;

  void prepare(const Model& m) {
    require(m.K % 2 == 0, "channels are rotated in pairs: dual-chunk needs an even head width, not ", m.K);
    for (int i = 0; i < m.K / 2; ++i) frequency.push_back(std::pow(base, -2.0 * i / m.K));
    const double length = static_cast<double>(m.train_length);
    C = chunk_size ? *chunk_size : std::max(1.0, std::floor(3 * length / 4));
    const double local = local_size ? *local_size : std::floor(length / 16);
    s = C - local;
    require(s >= 1, "chunks are chunk_size less local_size long: ", C, " must exceed ", local);
    require(temperature != Temperature::none || !original_length,
            "original_length belongs to a temperature; set temperature = \"keys\" or \"both\"");
    trained = original_length ? *original_length : length;
  }

  template <class S>
  void score(const ScoreTile<S>& t) const {
    const Rotated<S> rows(*this, t);
    const S scale = S(t.scale * stretch(t.context.length));
    for (Index h = 0; h < t.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j)
          t.logits(h, i, j) = scale * dot(rows.q[meeting(t, i, j)].row(h, i), rows.k.row(h, j));
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& t, Weights<const S>, const ScoreGradient<S>& gradient, Weights<S>) const {
    const Rotated<S> rows(*this, t);
    using Gradient = typename RotatedRows<S>::Gradient;
    Gradient by_q[] = {Gradient(rows.q[0]), Gradient(rows.q[1]), Gradient(rows.q[2])}, by_k(rows.k);
    const S scale = S(t.scale * stretch(t.context.length));
    for (Index h = 0; h < gradient.logits.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j) {
          const S by_product = scale * gradient.logits(h, i, j);
          if (by_product == 0) continue;  // masked
          const std::size_t met = meeting(t, i, j);
          add_dot_gradient(by_product, rows.q[met].row(h, i), rows.k.row(h, j), by_q[met].row(h, i), by_k.row(h, j));
        }
    for (Gradient& by : by_q) by.add_to(gradient.query);
    by_k.add_to(gradient.key);
  }

 private:
  double chunk(double position) const { return std::floor(position / s); }
  double within(double position) const { return position - s * chunk(position); }

  // 0: in the query's own chunk; keys after the query count as these. 1: in the one before. 2: in an earlier one.
  template <class S>
  std::size_t meeting(const ScoreTile<S>& t, Index i, Index j) const {
    const double back = chunk(t.query_positions[i]) - chunk(t.key_positions[j]);
    return back <= 0 ? 0 : back == 1 ? 1 : 2;
  }

  double stretch(Index length) const {
    if (temperature == Temperature::none) return 1;
    const double once = std::max(1.0, 0.1 * std::log(static_cast<double>(length) / trained) + 1);
    return temperature == Temperature::keys ? once : once * once;
  }

  template <class S>
  struct Rotated {
    RotatedRows<S> q[3], k;

    Rotated(const DualChunk& scheme, const ScoreTile<S>& t)
        : q{at(scheme, t.query, [&](Index i) { return scheme.within(t.query_positions[i]); }),
            at(scheme, t.query,
               [&](Index i) { return std::min(scheme.within(t.query_positions[i]) + scheme.s, scheme.C); }),
            at(scheme, t.query, [&](Index) { return std::min(2 * scheme.s - 1, scheme.C); })},
          k(at(scheme, t.key, [&](Index j) { return scheme.within(t.key_positions[j]); })) {}

    template <class PositionOf>
    static RotatedRows<S> at(const DualChunk& scheme, const Tensor<const S>& x, PositionOf position_of) {
      const Pairing pairing = scheme.style == Style::half_split ? Pairing::half_split : Pairing::interleaved;
      return RotatedRows<S>(x, pairing, scheme.frequency, position_of);
    }
  };
};
POSLAB_SCHEME(DualChunk)
