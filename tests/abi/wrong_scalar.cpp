// SPDX-License-Identifier: Apache-2.0
// Each WRONG_... is a scheme with weights whose formula is not written for any scalar: it would compile for float and
// double, and its gradient would not. Tests read the first error.
#include <concepts>
#include <poslab/scheme.hpp>
using namespace poslab;

#if defined(WRONG_bias_floating) || defined(WRONG_encode_floating) || defined(WRONG_rotate_floating) ||          \
    defined(WRONG_rotate_head_floating) || defined(WRONG_transform_floating) || defined(WRONG_score_floating) || \
    defined(WRONG_mix_floating)
#define SCALAR std::floating_point
#else
#define SCALAR class
#endif

struct Wrong {
  static constexpr Card card{.id = "wrong", .title = "Wrong", .version = "1"};
  static constexpr Traits traits = Traits();
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1, "a slope")}; }

#if defined(WRONG_bias_double)
  template <class S>
  double bias(int, double offset, Weights<const S>) const {
    return offset;
  }
#elif defined(WRONG_bias_changed)
  template <class S>
  S bias(int, double offset, Weights<S> w) const {
    return w[0](0) * S(offset);
  }
#elif defined(WRONG_encode_floating)
  template <SCALAR S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    row[0] = w[0](0) * S(p);
  }
#elif defined(WRONG_rotate_floating)
  template <SCALAR S>
  void rotate(Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    cosines[0] = cos(w[0](0) * S(p));
    sines[0] = sin(w[0](0) * S(p));
  }
#elif defined(WRONG_rotate_head_floating)
  template <SCALAR S>
  void rotate(int head, Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    cosines[0] = cos(w[0](head) * S(p));
    sines[0] = sin(w[0](head) * S(p));
  }
#elif defined(WRONG_transform_floating)
  template <SCALAR S>
  void transform(Point p, Row<S> row, Weights<const S> w) const {
    row[0] = row[0] * w[0](0) * S(p);
  }
#elif defined(WRONG_score_floating)
  template <SCALAR S>
  void score(const ScoreTile<S>& tile, Weights<const S> w) const {
    tile.logits(0, 0, 0) = w[0](0);
  }
#elif defined(WRONG_mix_floating)
  template <SCALAR S>
  void mix(const MixTile<S>& tile, Weights<const S> w) const {
    tile.output(0, 0, 0) = w[0](0);
  }
#else
  template <SCALAR S>
  S bias(int, double offset, Weights<const S> w) const {
    return w[0](0) * S(offset);
  }
#endif
};
POSLAB_SCHEME(Wrong)
