// SPDX-License-Identifier: Apache-2.0
// Small schemes, one for each form that an author may write, on formulas that a test can work out by itself.
#pragma once

#include "poslab/scheme.hpp"

namespace check {

using namespace poslab;  // as an author's file has it

/// e(p) = table[p] * gain: a lookup with a learnable factor.
struct Lookup {
  static constexpr Card card{.id = "lookup", .title = "Lookup", .version = "1"};
  int rows;
  static constexpr std::tuple params{integer(&Lookup::rows, "rows", 8, at_least(1), "positions").in("position")};
  std::vector<Weight> weights(const Model& m) const {
    return {normal("table", {rows, m.D}, 0.02, "a row for each position"), constant("gain", {}, 1)};
  }
  Traits traits() const { return Traits().min_position(0).max_position(rows - 1); }
  template <class S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = w[0](Index(p), c) * w[1]();
  }
};

/// The same with its gradient written by hand.
struct LookupByHand : Lookup {
  template <class S>
  void encode_gradient(Context, Point p, Row<const S> gradient, Weights<const S> w, Weights<S> dw) const {
    for (std::size_t c = 0; c < gradient.size(); ++c) {
      dw[0](Index(p), c) += gradient[c] * w[1]();
      dw[1]() += gradient[c] * w[0](Index(p), c);
    }
  }
};

/// Planes whose angles are position times a learnable frequency, with a magnitude on the query side.
struct LearnedRotation {
  static constexpr Card card{
      .id = "learned-rotation", .title = "Learned rotation", .version = "1", .real_positions = true};
  Pairing pairing;
  static constexpr std::tuple params{choice(&LearnedRotation::pairing, "pairing", pairings, "which channels")};
  std::vector<Weight> weights(const Model& m) const { return {uniform("frequency", {m.K / 2}, 0, 1).each_layer()}; }
  Traits traits() const { return Traits().pairing(pairing); }
  template <class S>
  void rotate(Context, Side side, Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    for (std::size_t m = 0; m < cosines.size(); ++m) {
      const S angle = S(p) * w[0](m);
      const S magnitude = side == Side::query ? S(2) : S(1);
      cosines[m] = magnitude * cos(angle);
      sines[m] = magnitude * sin(angle);
    }
  }
};

/// Turns the last two channels alone.
struct RotationAtTheEnd : LearnedRotation {
  std::vector<Weight> weights(const Model&) const { return {uniform("frequency", {1}, 0, 1)}; }
  Traits traits() const { return LearnedRotation::traits().rotary_width(2).rotary_part(RotaryPart::last); }
};

/// Angles that differ by head: position times a learnable frequency of the plane in the head.
struct RotationOfHeads : LearnedRotation {
  std::vector<Weight> weights(const Model& m) const { return {uniform("frequency", {m.H, m.K / 2}, 0, 1)}; }
  template <class S>
  void rotate(Side side, int head, Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    for (std::size_t m = 0; m < cosines.size(); ++m) {
      const S angle = S(p) * w[0](head, m), magnitude = side == Side::query ? S(2) : S(1);
      cosines[m] = magnitude * cos(angle);
      sines[m] = magnitude * sin(angle);
    }
  }
};

/// The same in the general form, row by row.
struct RotationOfHeadsByRows {
  static constexpr Card card{.id = "rotation-by-rows", .title = "By rows", .version = "1", .real_positions = true};
  Pairing pairing;
  static constexpr std::tuple params{choice(&RotationOfHeadsByRows::pairing, "pairing", pairings, "which channels")};
  static constexpr Traits traits{};
  std::vector<Weight> weights(const Model& m) const { return {uniform("frequency", {m.H, m.K / 2}, 0, 1)}; }
  template <class S>
  void transform(Side side, int head, Point p, Row<S> row, Weights<const S> w) const {
    const std::size_t planes = row.size() / 2;
    for (std::size_t m = 0; m < planes; ++m) {
      const bool halves = pairing == Pairing::half_split;
      const std::size_t one = halves ? m : 2 * m, other = halves ? m + planes : 2 * m + 1;
      const S angle = S(p) * w[0](head, m), magnitude = side == Side::query ? S(2) : S(1);
      const S x = row[one], y = row[other];
      row[one] = magnitude * (x * cos(angle) - y * sin(angle));
      row[other] = magnitude * (y * cos(angle) + x * sin(angle));
    }
  }
};

/// A shear, which no rotation can do: row[1] += head * p * gain * row[0].
struct Shear {
  static constexpr Card card{.id = "shear", .title = "Shear", .version = "1", .real_positions = true};
  static constexpr Traits traits{};
  std::vector<Weight> weights(const Model&) const { return {constant("gain", {1}, 1)}; }
  template <class S>
  void transform(int head, Point p, Row<S> row, Weights<const S> w) const {
    row[1] += S(head * p) * w[0](0) * row[0];
  }
};

struct ShearByHand : Shear {
  template <class S>
  void transform_gradient(int head, Point p, Row<S> gradient, Weights<const S> w) const {
    gradient[0] += S(head * p) * w[0](0) * gradient[1];
  }
};

/// That of its weight by hand, too.
struct ShearAllByHand : Shear {
  template <class S>
  void transform_gradient(int head, Point p, Row<const S> x, Row<S> gradient, Weights<const S> w, Weights<S> dw) const {
    dw[0](0) += S(head * p) * x[0] * gradient[1];
    gradient[0] += S(head * p) * w[0](0) * gradient[1];
  }
};

/// A table of clipped offsets: what T5 is without its logarithm.
struct Clipped {
  static constexpr Card card{.id = "clipped", .title = "Clipped offsets", .version = "1"};
  static constexpr Traits traits = Traits().claims(relative | content_free);
  std::vector<Weight> weights(const Model& m) const { return {normal("table", {7, m.H}, 1)}; }
  static Index row(double offset) { return Index(std::clamp(offset, -3.0, 3.0)) + 3; }
  template <class S>
  S bias(int head, double offset, Weights<const S> w) const {
    return w[0](row(offset), head);
  }
};

struct ClippedByHand : Clipped {
  template <class S>
  void bias_gradient(int head, double offset, S gradient, Weights<const S>, Weights<S> dw) const {
    dw[0](row(offset), head) += gradient;
  }
};

/// A bias of an offset in two axes, all heads at once: slope * row offset + column offset^2.
struct Grid {
  static constexpr Card card{.id = "grid", .title = "Grid", .version = "1", .least_axes = 2, .most_axes = 2};
  static constexpr Traits traits{};
  std::vector<Weight> weights(const Model& m) const { return {normal("slope", {m.H}, 1)}; }
  template <class S>
  void bias(Point offset, Row<S> heads, Weights<const S> w) const {
    for (std::size_t h = 0; h < heads.size(); ++h) heads[h] = w[0](h) * S(offset[0]) + S(offset[1] * offset[1]);
  }
};

struct GridByHand : Grid {
  template <class S>
  void bias_gradient(Point offset, Row<const S> gradients, Weights<const S>, Weights<S> dw) const {
    for (std::size_t h = 0; h < gradients.size(); ++h) dw[0](h) += S(offset[0]) * gradients[h];
  }
};

/// log-distance with a learnable slope and curvature, depending on query and key apart; all heads at once.
struct LogDistance {
  static constexpr Card card{
      .id = "log-distance", .title = "Log distance", .version = "1", .real_positions = true, .most_axes = 2};
  static constexpr Traits traits{};
  std::vector<Weight> weights(const Model& m) const {
    return {uniform("slope", {m.H}, 0, 1), uniform("stretch", {m.H}, 0, 1)};
  }
  template <class S>
  void bias(Point query, Point key, Row<S> heads, Context context, Weights<const S> w) const {
    const double distance = std::abs(query[0] - key[0]) + (query.axes() > 1 ? std::abs(query[1] - key[1]) : 0);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const S stretch = w[1](h) * w[1](h) + S(1);
      heads[h] = -w[0](h) * log1p(stretch * S(distance)) / S(1.0 + query[0] / static_cast<double>(context.length));
    }
  }
};

/// Relative vectors for keys and values, as Shaw's.
struct Vectors {
  static constexpr Card card{.id = "vectors", .title = "Relative vectors", .version = "1"};
  static constexpr Traits traits{};
  bool values;
  static constexpr std::tuple params{flag(&Vectors::values, "values", true, "vectors for the values too")};
  bool offers(Operation operation) const { return operation != Operation::mix || values; }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("keys", {5, m.K}, 1), normal("values", {5, m.K}, 1)};
  }
  static Index place(double offset) { return Index(std::clamp(offset, -2.0, 2.0)) + 2; }

  template <class S>
  void score(const ScoreTile<S>& t, Weights<const S> w) const {
    for (Index h = 0; h < t.query.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j)
          t.logits(h, i, j) +=
              S(t.scale) * dot(t.query.row(h, i), w[0].row(place(t.key_positions[j] - t.query_positions[i])));
  }
  template <class S>
  void mix(const MixTile<S>& t, Weights<const S> w) const {
    for (Index h = 0; h < t.attention.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j)
          add_scaled(t.output.row(h, i), t.attention(h, i, j),
                     w[1].row(place(t.key_positions[j] - t.query_positions[i])));
  }
};

struct VectorsByHand : Vectors {
  template <class S>
  void score_gradient(const ScoreTile<S>& t, Weights<const S> w, const ScoreGradient<S>& g, Weights<S> dw) const {
    for (Index h = 0; h < t.query.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j) {
          const Index r = place(t.key_positions[j] - t.query_positions[i]);
          const S gradient = S(t.scale) * g.logits(h, i, j);
          add_scaled(g.query.row(h, i), gradient, w[0].row(r));
          add_scaled(dw[0].row(r), gradient, t.query.row(h, i));
        }
  }
  template <class S>
  void mix_gradient(const MixTile<S>& t, Weights<const S> w, const MixGradient<S>& g, Weights<S> dw) const {
    for (Index h = 0; h < t.attention.shape(0); ++h)
      for (Index i = 0; i < t.query_positions.size(); ++i)
        for (Index j = 0; j < t.key_positions.size(); ++j) {
          const Index r = place(t.key_positions[j] - t.query_positions[i]);
          g.attention(h, i, j) += dot(g.output.row(h, i), w[1].row(r));
          add_scaled(dw[1].row(r), t.attention(h, i, j), g.output.row(h, i));
        }
  }
};

/// Replaces the logits, reading those that arrive, mixing heads, and the layer's input: everything that a score may
/// do.
struct Anew {
  static constexpr Card card{.id = "anew", .title = "Logits anew", .version = "1", .family = Family::contextual};
  Traits traits(const Model& m) const { return Traits().score_writes_logits().logit_scale(1.0 / m.K); }
  std::vector<Weight> weights(const Model& m) const {
    return {normal("between_heads", {m.H, m.H}, 1), normal("gate", {m.D}, 1)};
  }
  template <class S>
  void score(const ScoreTile<S>& t, Weights<const S> w) const {
    const Index H = t.query.shape(0);
    std::vector<S> incoming(static_cast<std::size_t>(H));
    for (Index i = 0; i < t.query_positions.size(); ++i)
      for (Index j = 0; j < t.key_positions.size(); ++j) {
        for (Index h = 0; h < H; ++h) incoming[static_cast<std::size_t>(h)] = t.logits(h, i, j);
        const S gate = tanh(dot(t.layer_input().row(j), w[1].row()));
        for (Index h = 0; h < H; ++h) {
          S sum = gate;
          for (Index g = 0; g < H; ++g) sum += w[0](h, g) * incoming[static_cast<std::size_t>(g)];
          t.logits(h, i, j) = sum * sum + t.key(h, j, 0);
        }
      }
  }
};

/// Adds to the logits what depends on them.
struct Sharpen {
  static constexpr Card card{.id = "sharpen", .title = "Sharpen", .version = "1"};
  static constexpr Traits traits{};
  template <class S>
  void score(const ScoreTile<S>& t) const {
    for (Index h = 0; h < t.logits.shape(0); ++h)
      for (Index i = 0; i < t.logits.shape(1); ++i)
        for (Index j = 0; j < t.logits.shape(2); ++j)
          t.logits(h, i, j) += S(0.5) * t.logits(h, i, j) * t.logits(h, i, j);
  }
};

/// Sharpens logits that a bias of its own is in: no gradient of that can be derived for one operation alone.
template <bool offers_bias>
struct SharpenBiased : Sharpen {
  static constexpr Card card{.id = "sharpen-biased", .title = "Sharpen, biased", .version = "1"};
  bool offers(Operation operation) const { return offers_bias || operation != Operation::bias; }
  double bias(int, double offset) const { return 0.1 * offset; }
};

}  // namespace check
