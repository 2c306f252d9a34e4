// SPDX-License-Identifier: Apache-2.0
// Complex order: every word is a row of waves of its own amplitude, frequency and phase, read at the word's position.
// Dimension letters: V words, C complex channels, D model width = 2 C.
#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

#include <numbers>

using namespace poslab;

struct ComplexOrder {
  static constexpr Card card{
      .id = "complex-order",
      .title = "Complex order embedding",
      .version = "1.0",
      .paper = "Wang et al. 2020, arXiv:1912.12333",
      .summary = "Adds a learned wave of the position in every channel; with a vocabulary, every word has its own.",
      .formula = "e(p, j) = [r_j cos(omega_j p + theta_j), r_j sin(omega_j p + theta_j)]",
      .used_in = "",
      .real_positions = true,
      .most_axes = 2};
  std::optional<int> vocabulary;
  double fastest;
  bool phases;
  static constexpr std::tuple params{
      integer(&ComplexOrder::vocabulary, "vocabulary", unset, at_least(1),
              "words with waves of their own, a position being (position, word); unset: one wave for all"),
      real(&ComplexOrder::fastest, "max_frequency", 1, above(0),
           "initial frequencies are drawn from 0 to this, in radians a position")
          .in("1/position"),
      flag(&ComplexOrder::phases, "phases", true, "learned phases theta; else they are 0")};

  Traits traits() const {
    return Traits()
        .claims(length_free | bounded | (vocabulary ? no_claims : content_free | constant_norm))
        .axes(1, vocabulary ? 2 : 1);
  }

  void prepare(const Model& m) {
    require(m.D >= 2, "complex-order needs a model width of at least 2, a real and an imaginary part, not ", m.D);
  }
  std::vector<Weight> weights(const Model& m) const {
    const Shape table{vocabulary.value_or(1), m.D / 2};
    std::vector<Weight> all{uniform("amplitude", table, -1, 1, "r: the size of every wave of a word"),
                            uniform("omega", table, 0, fastest, "radians a position")};
    if (phases) all.push_back(uniform("phase", table, -std::numbers::pi, std::numbers::pi, "theta: radians at 0"));
    return all;
  }

  template <class S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    const Index word = word_of(p);
    const std::size_t C = row.size() / 2;
    const auto angle = [&](std::size_t c) {
      const Exact<S> rotated = Exact<S>(w[1](word, static_cast<Index>(c))) * p[0];
      return phases ? rotated + Exact<S>(w[2](word, static_cast<Index>(c))) : rotated;
    };
    for_angles<S>(C, angle, [&](std::size_t c, const Exact<S>& sine, const Exact<S>& cosine) {
      const Exact<S> size(w[0](word, static_cast<Index>(c)));
      row[c] = static_cast<S>(size * cosine);
      row[C + c] = static_cast<S>(size * sine);
    });
    for (S& channel : row.subspan(2 * C)) channel = 0;
  }

 private:
  Index word_of(Point p) const {
    if (p.axes() == 1) return 0;
    const double word = p[1];
    if (!(word >= 0 && word < *vocabulary && word == std::floor(word)))
      throw Failure(POSLAB_OUT_OF_RANGE,
                    sdk::text("word ", word, " (the second number of a position) is none of 0 to ", *vocabulary - 1));
    return static_cast<Index>(word);
  }
};
POSLAB_SCHEME(ComplexOrder)
