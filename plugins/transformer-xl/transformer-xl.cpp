// SPDX-License-Identifier: Apache-2.0
// Transformer-XL: the query meets a projected sinusoid of the offset, and two learned vectors stand in for the query
// where its own position must not count. Dimension letters: D model width, H heads, K head width, Nq queries, Nk keys,
// P different offsets.
#include <poslab/scheme.hpp>

#include "relative.hpp"

using namespace poslab;

struct TransformerXl {
  static constexpr Card card{
      .id = "transformer-xl",
      .title = "Transformer-XL relative encoding",
      .version = "1.0",
      .paper = "Dai et al. 2019, arXiv:1901.02860",
      .summary = "Queries meet projected sinusoids of the offset; learned biases replace absolute positions.",
      .formula = "logit = ((q_i + u) . k_j + (q_i + v) . W_r R[i - j]) / sqrt(K)",
      .used_in = "Transformer-XL; with changes XLNet, Conformer",
      .real_positions = true};
  enum class Offset { query_minus_key, key_minus_query, from_the_end };
  static constexpr const char* offset_names[] = {"query-minus-key", "key-minus-query", "from-the-end"};
  Offset offset;
  std::optional<int> clamp_length;
  bool untie;
  double init_std;
  static constexpr std::tuple params{
      choice(&TransformerXl::offset, "offset", offset_names,
             "what the sinusoid is taken of: i - j, j - i, or length - 1 - (i - j)"),
      integer(&TransformerXl::clamp_length, "clamp_length", unset, at_least(1), "offsets from here on share a sinusoid")
          .in("position"),
      flag(&TransformerXl::untie, "untie", true, "every layer has its own u and v; else all share them"),
      real(&TransformerXl::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial weights")};
  Traits traits() const {
    return Traits().claims(relative | bounded | (offset == Offset::from_the_end ? no_claims : length_free));
  }

  std::vector<double> frequency;  // [D / 2]

  void prepare(const Model& m) {
    require(m.D % 2 == 0, "transformer-xl needs an even model width, not ", m.D);
    for (int i = 0; i < m.D / 2; ++i) frequency.push_back(std::pow(1e4, -2.0 * i / m.D));
  }
  std::vector<Weight> weights(const Model& m) const {
    const auto bias = [&](const char* name, const char* sentence) {
      const Weight weight = normal(name, {m.H, m.K}, init_std, sentence);
      return untie ? weight.each_layer() : weight;
    };
    return {bias("content_bias", "u: what every query asks of a key's content"),
            bias("position_bias", "v: what every query asks of a key's offset"),
            normal("projection", {m.D, m.D}, init_std, "W_r [H K, D]: from the sinusoid to all heads").each_layer()};
  }

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Index H = tile.query.shape(0), Nk = tile.key_positions.size();
    const DistinctOffsets offsets = offsets_of(tile);
    const Relative<S> vectors(offsets, frequency, w[2], H);
    std::vector<S> asked(static_cast<std::size_t>(tile.query.shape(2))), content(static_cast<std::size_t>(Nk));
    for (Index h = 0; h < H; ++h) {
      for (Index j = 0; j < Nk; ++j) content[static_cast<std::size_t>(j)] = dot(w[0].row(h), tile.key.row(h, j));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        ask(tile, w[1], h, i, asked.data());
        for_dots(
            asked, Nk, [&](Index j) { return vectors.projected_row(h, offsets.at(i, j)); },
            [&](Index j, const S& met) {
              tile.logits(h, i, j) += S(tile.scale) * (content[static_cast<std::size_t>(j)] + met);
            });
      }
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Index H = tile.query.shape(0), K = tile.query.shape(2), Nq = tile.query_positions.size(),
                Nk = tile.key_positions.size();
    const DistinctOffsets offsets = offsets_of(tile);
    const Index P = offsets.count();
    const Relative<S> vectors(offsets, frequency, w[2], H);
    std::vector<S> asked(static_cast<std::size_t>(K)), by_asked(asked.size());
    std::vector<S> by_content(static_cast<std::size_t>(Nk)), by_projected(static_cast<std::size_t>(P * K));
    for (Index h = 0; h < H; ++h) {
      std::fill(by_content.begin(), by_content.end(), S(0));
      std::fill(by_projected.begin(), by_projected.end(), S(0));
      for (Index i = 0; i < Nq; ++i) {
        ask(tile, w[1], h, i, asked.data());
        std::fill(by_asked.begin(), by_asked.end(), S(0));
        const auto by_logit = [&](Index j) { return S(tile.scale) * gradient.logits(h, i, j); };
        add_scaled_rows(by_asked, Nk, by_logit, [&](Index j) { return vectors.projected_row(h, offsets.at(i, j)); });
        for (Index j = 0; j < Nk; ++j) {
          if (by_logit(j) == 0) continue;  // masked
          by_content[static_cast<std::size_t>(j)] += by_logit(j);
          add_scaled(Row<S>(by_projected.data() + offsets.at(i, j) * K, asked.size()), by_logit(j), asked);
        }
        add_scaled(gradient.query.row(h, i), S(1), by_asked);
        add_scaled(dw[1].row(h), S(1), by_asked);
      }
      for (Index j = 0; j < Nk; ++j) {
        add_scaled(gradient.key.row(h, j), by_content[static_cast<std::size_t>(j)], w[0].row(h));
        add_scaled(dw[0].row(h), by_content[static_cast<std::size_t>(j)], tile.key.row(h, j));
      }
      for (Index k = 0; k < K; ++k)  // dW_r [H K, D] += by_projected^T R
        add_scaled_rows(
            dw[2].row(h * K + k), P, [&](Index p) { return by_projected[static_cast<std::size_t>(p * K + k)]; },
            [&](Index p) { return vectors.sinusoid(p); });
    }
  }

 private:
  // The number that the sinusoid of a pair is taken of.
  double offset_between(const Context& context, double query, double key) const {
    double n = offset == Offset::key_minus_query ? key - query : query - key;
    if (offset == Offset::from_the_end) n = static_cast<double>(context.length) - 1 - n;
    const double limit = clamp_length ? *clamp_length : std::abs(n);
    return std::min(std::max(n, -limit), limit);
  }

  template <class S>
  DistinctOffsets offsets_of(const ScoreTile<S>& tile) const {
    return {tile.query_positions, tile.key_positions,
            [&](double query, double key) { return offset_between(tile.context, query, key); }};
  }

  // asked = q_i + v
  template <class S>
  static void ask(const ScoreTile<S>& tile, const Tensor<const S>& v, Index h, Index i, S* asked) {
    for (Index k = 0; k < tile.query.shape(2); ++k) asked[k] = tile.query(h, i, k) + v(h, k);
  }
};
POSLAB_SCHEME(TransformerXl)
