// SPDX-License-Identifier: Apache-2.0
// Transformer-XL: the query meets a projected sinusoid of the offset, and two learned vectors stand in for the query where
// its own position must not count.
// Dimension letters: D model width, H heads, K head width, Nq queries, Nk keys, P different places.
#include <poslab/scheme.hpp>

#include "places.hpp"

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
  static constexpr const char* offsets[] = {"query-minus-key", "key-minus-query", "from-the-end"};
  Offset offset;
  std::optional<int> clamp_length;
  bool untie;
  double init_std;
  static constexpr std::tuple params{
      choice(&TransformerXl::offset, "offset", offsets,
             "what the sinusoid is taken of: i - j, j - i, or length - 1 - (i - j)"),
      integer(&TransformerXl::clamp_length, "clamp_length", unset, at_least(1), "offsets from here on share a sinusoid")
          .in("position"),
      flag(&TransformerXl::untie, "untie", true, "every layer has its own u and v; else all share them"),
      real(&TransformerXl::init_std, "init_std", 0.02, at_least(0), "standard deviation of the initial weights")};
  Claims claims() const { return relative | bounded | (offset == Offset::from_the_end ? no_claims : length_free); }

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

  // A tile's sinusoids R [P, D], and the same projected, W_r R [P, H K].
  template <class S>
  class Relative {
   public:
    Relative(const TransformerXl& scheme, const ScoreTile<S>& tile, const Tensor<const S>& projection)
        : places_(tile.query_positions, tile.key_positions,
                  [&](double query, double key) { return scheme.place(tile.context, query, key); }),
          D_(projection.shape(1)),
          K_(tile.query.shape(2)) {
      const Index P = static_cast<Index>(places_.distinct().size());
      sinusoids_.resize(static_cast<std::size_t>(P * D_));
      projected_.resize(static_cast<std::size_t>(P * projection.shape(0)));
      for (Index p = 0; p < P; ++p)
        for_sines_and_cosines(places_.distinct()[static_cast<std::size_t>(p)], scheme.frequency,
                              [&](std::size_t m, double sine, double cosine) {
                                sinusoids_[static_cast<std::size_t>(p * D_) + m] = S(sine);
                                sinusoids_[static_cast<std::size_t>(p * D_ + D_ / 2) + m] = S(cosine);
                              });
      constexpr Index block = 16;  // sinusoids that stay in the cache while the rows of W_r go by
      for (Index first = 0; first < P; first += block)
        for (Index c = 0; c < projection.shape(0); ++c)
          for (Index p = first; p < std::min(first + block, P); ++p)
            projected_[static_cast<std::size_t>(p * projection.shape(0) + c)] = dot(projection.row(c), sinusoid(p));
    }

    Index count() const { return static_cast<Index>(places_.distinct().size()); }
    Index at(Index i, Index j) const { return places_.at(i, j); }
    Row<const S> sinusoid(Index p) const { return {sinusoids_.data() + p * D_, static_cast<std::size_t>(D_)}; }
    Row<const S> row(Index p, Index h) const {
      return {projected_.data() + p * D_ + h * K_, static_cast<std::size_t>(K_)};
    }

   private:
    Places places_;
    Index D_, K_;
    std::vector<S> sinusoids_, projected_;
  };

  template <class S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    const Relative<S> relative_vectors(*this, tile, w[2]);
    std::vector<S> content(static_cast<std::size_t>(tile.key_positions.size()));  // u . k_j
    std::vector<S> asked(static_cast<std::size_t>(tile.query.shape(2)));          // q_i + v
    for (Index h = 0; h < tile.query.shape(0); ++h) {
      for (std::size_t j = 0; j < content.size(); ++j)
        content[j] = dot(w[0].row(h), tile.key.row(h, static_cast<Index>(j)));
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        ask(tile, w[1], h, i, asked);
        const Row<S> logits = tile.logits.row(h, i);
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const auto key = static_cast<std::size_t>(j);
          logits[key] +=
              S(tile.scale) * (content[key] + dot(asked, relative_vectors.row(relative_vectors.at(i, j), h)));
        }
      }
    }
  }

  template <class S>
  void score_gradient(const ScoreTile<S>& tile, Weights<const S> w, const ScoreGradient<S>& gradient,
                      Weights<S> dw) const {
    const Relative<S> relative_vectors(*this, tile, w[2]);
    const Index H = tile.query.shape(0), K = tile.query.shape(2), P = relative_vectors.count();
    std::vector<S> by_projected(static_cast<std::size_t>(P * H * K)), asked(static_cast<std::size_t>(K));
    const auto by_row = [&](Index p, Index h) {
      return Row<S>(by_projected.data() + (p * H + h) * K, static_cast<std::size_t>(K));
    };
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < tile.query_positions.size(); ++i) {
        ask(tile, w[1], h, i, asked);
        for (Index j = 0; j < tile.key_positions.size(); ++j) {
          const S by_logit = S(tile.scale) * gradient.logits(h, i, j);
          const Index p = relative_vectors.at(i, j);
          add_scaled(gradient.key.row(h, j), by_logit, w[0].row(h));
          add_scaled(dw[0].row(h), by_logit, tile.key.row(h, j));
          add_scaled(gradient.query.row(h, i), by_logit, relative_vectors.row(p, h));
          add_scaled(dw[1].row(h), by_logit, relative_vectors.row(p, h));
          add_scaled(by_row(p, h), by_logit, asked);
        }
      }
    for (Index c = 0; c < H * K; ++c)
      for (Index p = 0; p < P; ++p)
        add_scaled(dw[2].row(c), by_projected[static_cast<std::size_t>(p * H * K + c)], relative_vectors.sinusoid(p));
  }

 private:
  // The number that the sinusoid of a pair is taken of.
  double place(const Context& context, double query, double key) const {
    double n = offset == Offset::key_minus_query ? key - query : query - key;
    if (offset == Offset::from_the_end) n = static_cast<double>(context.length) - 1 - n;
    const double limit = clamp_length ? *clamp_length : std::abs(n);
    return std::min(std::max(n, -limit), limit);
  }

  // asked = q_i + v
  template <class S>
  static void ask(const ScoreTile<S>& tile, const Tensor<const S>& v, Index h, Index i, std::vector<S>& asked) {
    for (std::size_t k = 0; k < asked.size(); ++k) asked[k] = tile.query.row(h, i)[k] + v.row(h)[k];
  }
};
POSLAB_SCHEME(TransformerXl)
