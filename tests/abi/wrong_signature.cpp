// SPDX-License-Identifier: Apache-2.0
// Never compiled with success: each WRONG_... is a mistake that an author may make, and the tests look for the sentence.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Wrong {
  static constexpr Card card{.id = "wrong", .title = "Wrong", .version = "1"};
#if defined(WRONG_encode)
  void encode(Point, std::vector<double>& row) const { row[0] = 0; }
#elif defined(WRONG_turn)
  void turn(Point, Row<float> cosines, Row<float> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_transform)
  void transform(Point, Row<double> row) const { row[0] = 0; }
#elif defined(WRONG_bias)
  double bias(double offset) const { return offset; }
#elif defined(WRONG_score)
  template <class S>
  void score(Tensor<S> logits) const {
    logits(0, 0, 0) = 0;
  }
#elif defined(WRONG_mix)
  void mix(const MixTile<double>& tile) const { tile.output(0, 0, 0) = 0; }
#elif defined(WRONG_bias_gradient)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  template <class S>
  S bias(int, double offset, Weights<const S> w) const {
    return w[0](0) * S(offset);
  }
  template <class S>
  void bias_gradient(double offset, Weights<S> dw) const {
    dw[0](0) += S(offset);
  }
#elif defined(WRONG_real)
  int base;
  static constexpr std::tuple params{real(&Wrong::base, "base", 2, above(1), "a base")};
#endif
};
POSLAB_SCHEME(Wrong)
