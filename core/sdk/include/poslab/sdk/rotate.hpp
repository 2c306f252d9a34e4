// SPDX-License-Identifier: Apache-2.0
// The operation `transform` as an author writes it best: rotate(context, side, head, position, cosines, sines, weights)
// gives the angle of each plane, and the pairs of channels are rotated here, gradients and outputs by the opposite
// angle. Without the head, the angles are computed once for all heads. Dimension letters: N positions, H heads, K head
// width, P planes (half the rotary width).
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/arrays.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/mistakes.hpp"
#include "poslab/sdk/rotation.hpp"

namespace poslab::sdk {

template <class T>
struct Rotate {
  // Context, side, head and weights may be left out.
  static constexpr Optional optional = 0b1000111;
  template <class S>
  static constexpr Arguments taken_by =
      taken<optional, members::rotate, Returning<void>, T, Context, Side, int, Point, Row<S>, Row<S>, Weights<const S>>;
  static constexpr bool takes_head = (taken_by<double> & 0b100U) != 0;
  static constexpr bool takes_weights = (taken_by<double> & 0b1000000U) != 0;
  // Without weights in double, rounded once, since the angles of far positions need it; else in the call's scalar.
  static constexpr bool in_double = taken_by<double> != 0 && !takes_weights;
  template <class S>
  static constexpr Mistake mistake_for = mistake<optional, members::rotate, Returning<void>, T, Context, Side, int,
                                                 Point, Row<S>, Row<S>, Weights<const S>>;
  POSLAB_SDK_SIGNATURE("rotate", in_double ? Mistake::none : of_both(mistake_for<float>, mistake_for<double>),
                       "void rotate(Context context, Side side, int head, Point position, Row<double> cosines, "
                       "Row<double> sines) const, of which Context, Side and head may be left out; with "
                       "Weights<const S> as its last argument it is a template on S, and the rows are Row<S>. It must "
                       "be public.");
  static_assert(
      !takes_weights || taken_by<Variable> != 0,
      "rotate takes weights, so its gradient is derived by calling it with another S than float and double. Write it "
      "for any S: template <class S> void rotate(Context context, Side side, int head, Point position, Row<S> cosines, "
      "Row<S> sines, Weights<const S> weights) const, with class, not std::floating_point.");

  template <class S>
  static void planes(const T& scheme, const Context& context, Side side, int head, Point position, Row<S> cosines,
                     Row<S> sines, Weights<const S> weights) {
    call_with<members::rotate, taken_by<S>>(scheme, context, side, head, position, cosines, sines, weights);
  }

  /// How many channels are rotated. Unset: all of them.
  static Index width(const Instance<T>& self) { return self.properties.rotary_width.value_or(self.model.K); }
  /// The first of them.
  static Index start(const Instance<T>& self) {
    return self.properties.rotary_part == RotaryPart::last ? self.model.K - width(self) : 0;
  }

  /// For `create`: refuses a width that is no number of pairs, and a last part that is the whole.
  static void check(const Instance<T>& self) {
    const Index rotated = width(self), K = self.model.K;
    require(rotated >= 0 && rotated <= K && rotated % 2 == 0,
            "channels are rotated in pairs: the rotary width must be even and at most the head width ", K, ", not ",
            rotated);
    require(self.properties.rotary_part == RotaryPart::first || rotated < K,
            "the last part of a head is rotated, so the rotary width must be less than the head width ", K);
  }

  /// The cosines and sines of some positions, in the call's scalar. Backward, and of outputs, the sines are negated:
  /// the transposed rotation.
  template <class S>
  class Block {
   public:
    /// Positions at a time: their planes stay in the cache while all heads, one after the other, use them.
    static Index most(Index planes) {
      constexpr Index bytes = Index{1} << 20;
      return std::max<Index>(32, bytes / std::max<Index>(1, 2 * planes * static_cast<Index>(sizeof(S))));
    }

    Block(const Instance<T>& self, const poslab_call& call, const WeightArrays<S>& arrays, bool backward, Index count)
        : self_(self),
          context_(context_of(call)),
          side_(static_cast<Side>(call.side)),
          arrays_(arrays),
          turned_back_(backward != (side_ == Side::output)),
          P_(width(self) / 2),
          numbers_(static_cast<std::size_t>(2 * count * P_)),
          exact_(static_cast<std::size_t>(2 * P_)) {}

    /// `head` counts only for a scheme that takes it.
    void fill(Points positions, Index head) {
      const Row<Exact> exact(exact_);
      const Row<Exact> exact_cosines = exact.first(planes()), exact_sines = exact.last(planes());
      Weights<const Exact> weights;
      if constexpr (!in_double) weights = arrays_.weights();
      for (Index n = 0; n < positions.size(); ++n) {
        Rotate::planes<Exact>(self_.scheme, context_, side_, static_cast<int>(head), positions[n], exact_cosines,
                              exact_sines, weights);
        S* const c = numbers_.data() + 2 * n * P_;
        S* const s = c + P_;
        for (std::size_t m = 0; m < planes(); ++m) {
          c[m] = static_cast<S>(exact_cosines[m]);
          s[m] = static_cast<S>(turned_back_ ? -exact_sines[m] : exact_sines[m]);
        }
      }
    }
    const S* cosines(Index n) const { return numbers_.data() + 2 * n * P_; }
    const S* sines(Index n) const { return cosines(n) + P_; }

   private:
    using Exact = std::conditional_t<in_double, double, S>;
    std::size_t planes() const { return static_cast<std::size_t>(P_); }

    const Instance<T>& self_;
    Context context_;
    Side side_;
    const WeightArrays<S>& arrays_;
    bool turned_back_;
    Index P_;
    std::vector<S> numbers_;    // of each position P cosines, then P sines
    std::vector<Exact> exact_;  // of one position
  };

  // Rows are asked for so many rows ahead: the processor looks ahead by itself no further than the page's end.
  static constexpr Index ahead = 16;

  /// x [H, N, K] rotated in place.
  template <class S>
  static void apply(const Instance<T>& self, const poslab_call& call, bool backward) {
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index H = self.model.H, N = positions.size(), K = self.model.K, P = width(self) / 2, from = start(self);
    const Tensor<S> x = checked<S>(call.output, "output", {H, N, K});
    const WeightArrays<S> arrays(call, self.weight_rows);
    const Pairing pairing = self.properties.pairing;
    const Index most = std::min(N, Block<S>::most(P));
    Block<S> block(self, call, arrays, backward, most);
    for (Index first = 0; first < N; first += most) {
      const Index count = std::min(most, N - first);
      for (Index h = 0; h < H; ++h) {
        if (takes_head || h == 0) block.fill(positions.part(first, count), h);
        for (Index n = 0; n < count; ++n) {
          if (first + n + ahead < N) fetch(&x(h, first + n + ahead, 0) + from, 2 * P);
          rotate_row(pairing, &x(h, first + n, 0) + from, block.cosines(n), block.sines(n), P);
        }
      }
    }
  }

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    apply<S>(self, call, false);
  }

  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    if constexpr (takes_weights) weight_gradient<S>(self, call);
    apply<S>(self, call, true);
  }

  /// The gradients by the cosines and sines of a position, summed over the heads that share them, are the seeds of the
  /// tape. Reads the gradient by the rotated x, so before it is rotated back.
  template <class S>
  static void weight_gradient(const Instance<T>& self, const poslab_call& call) {
    const WeightSinks<S> sinks(call, self.weight_rows);
    if (!sinks.wanted()) return;
    const Points positions = checked_positions(call.positions, "positions", self.rule);
    const Index H = self.model.H, N = positions.size(), K = self.model.K, P = width(self) / 2, from = start(self);
    const Side side = static_cast<Side>(call.side);
    const Tensor<const S> given = checked<const S>(call.output, "output", {H, N, K});
    const Tensor<const S> x = checked<const S>(before_transform(call), "x before the rotation", {H, N, K});
    const WeightArrays<S> arrays(call, self.weight_rows);
    const bool halves = self.properties.pairing == Pairing::half_split;
    const Context context = context_of(call);
    Tape tape;
    const WeightLeaves leaves(tape, arrays);
    std::vector<Variable> taped(static_cast<std::size_t>(2 * P));
    const Row<Variable> rows(taped), cosines = rows.first(taped.size() / 2), sines = rows.last(taped.size() / 2);
    const Index shared = takes_head ? 1 : H;  // heads that have the same angles
    for (Index n = 0; n < N; ++n)
      for (Index head = 0; head < H; head += shared) {
        planes<Variable>(self.scheme, context, side, static_cast<int>(head), positions[n], cosines, sines,
                         leaves.weights());
        for (Index m = 0; m < P; ++m) {
          const Index one = from + (halves ? m : 2 * m), other = from + (halves ? m + P : 2 * m + 1);
          double by_cosine = 0, by_sine = 0;
          for (Index h = head; h < head + shared; ++h) {
            const double a = x(h, n, one), b = x(h, n, other), ga = given(h, n, one), gb = given(h, n, other);
            by_cosine += ga * a + gb * b;
            by_sine += side == Side::output ? ga * b - gb * a : gb * a - ga * b;
          }
          tape.seed(cosines[static_cast<std::size_t>(m)], by_cosine);
          tape.seed(sines[static_cast<std::size_t>(m)], by_sine);
        }
        tape.sweep([&](int array, Index offset, double gradient) { sinks.add(array, offset, gradient); });
      }
  }
};

}  // namespace poslab::sdk
