// SPDX-License-Identifier: Apache-2.0
// A scheme made with the SDK: every kind of parameter, a weight whose gradient the tape derives, a rotation with the
// SDK's own sines, a bias. Built once for each kept minor (kept.md); no function of the C library is in its numbers.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Kept {
  static constexpr Card card{.id = "kept-sdk",
                             .title = "Kept, with the SDK",
                             .version = "1.0",
                             .summary = "Rotates, and adds a bias.",
                             .real_positions = true};
  double rate;
  int first;
  Pairing pairing;
  bool doubled;
  std::optional<std::vector<double>> steps;
  static constexpr const char* pairings[] = {"interleaved", "half-split"};
  static constexpr std::tuple params{real(&Kept::rate, "rate", 0.125, above(0), "radians of a position"),
                                     integer(&Kept::first, "first", 3, at_least(0), "added to positions"),
                                     choice(&Kept::pairing, "order", pairings, "which channels rotate together"),
                                     flag(&Kept::doubled, "doubled", true, "the bias counts twice"),
                                     list(&Kept::steps, "steps", unset, above(0), "of the planes")};
  Traits traits() const {
    return Traits()
        .pairing(pairing)
#if POSLAB_MINOR >= 1
        .sides(Side::key, Side::value)
#endif
#if POSLAB_MINOR >= 2
        .embedding_scale(3)
        .initial_query_scale(0.25)
#endif
        ;
  }
  std::vector<double> frequencies;

  void prepare(const Model& m) {
    for (int plane = 0; plane < m.K / 2; ++plane)
      frequencies.push_back(rate * (steps ? steps->at(static_cast<std::size_t>(plane) % steps->size()) : 1) /
                            (plane + 1));
  }
  std::vector<Weight> weights(const Model& m) const { return {constant("gain", {m.H}, 0.75, "slope of a head")}; }

  void rotate(Context, Point position, Row<double> cosines, Row<double> sines) const {
    for (std::size_t plane = 0; plane < frequencies.size(); ++plane) {
      const auto turned = sine_and_cosine((position[0] + first) * frequencies[plane]);
      sines[plane] = turned.sine, cosines[plane] = turned.cosine;
    }
  }
  template <class S>
  S bias(int head, double offset, Weights<const S> w) const {
    const S slope = w[0](head) * w[0](head);
    return slope * S(doubled ? 2 * offset : offset) / (S(1) + slope);
  }
};
POSLAB_SCHEME(Kept)
