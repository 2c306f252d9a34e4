// SPDX-License-Identifier: Apache-2.0
// The operation `bias`: what an author writes for one pair or one offset, spread over a tile. Whole positions have few
// different offsets: each is computed once, and so is its gradient.
// Dimension letters: Nq queries of the tile, Nk keys, H heads, R offsets.
#pragma once

#include <vector>

#include "poslab/sdk/arrays.hpp"
#include "poslab/sdk/bias_forms.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/offsets.hpp"

namespace poslab::sdk {

template <class T, Gradients gradients>
struct Bias {
  using Forms = BiasForms<T>;
  using GradientForms = BiasGradientForms<T>;
  static constexpr bool by_hand = GradientForms::any && gradients == Gradients::by_hand;
  static constexpr bool gradient_can_be_derived() {
    if constexpr (Forms::takes_weights && !by_hand)
      return Forms::any_on_tape;
    else
      return true;
  }
  static_assert(!Forms::of_offset || T::card.most_axes <= most_axes,
                "the bias of an offset serves positions of up to 8 axes");
  static_assert(gradient_can_be_derived(),
                "bias takes weights, so its gradient is derived by calling it with another S than float and double. "
                "Write it for any S, with class, not std::floating_point, const S in Weights, and S as its result: "
                "template <class S> S bias(int head, double offset, Context, Weights<const S>) const, or the same with "
                "query and key, or void with Row<S> heads.");

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    const Points queries = checked_positions(call.query_positions, "query_positions", self.rule);
    const Points keys = checked_positions(call.key_positions, "key_positions", self.rule);
    const Index H = self.model.H, Nq = queries.size(), Nk = keys.size();
    const Tensor<S> out = checked<S>(call.output, "output", {H, Nq, Nk});
    const WeightArrays<S> arrays(call, self.weight_rows);
    const Context context = context_of(call);
    std::vector<S> heads(static_cast<std::size_t>(H));
    if constexpr (Forms::of_offset) {
      if (const Offsets offsets(queries, keys); offsets.can_be_tabulated()) {
        const Index R = offsets.count();
        std::vector<S> table(static_cast<std::size_t>(H * R));  // [H, R]
        for (Index r = 0; r < R; ++r) {
          const double offset[most_axes] = {offsets.at(r)};
          Forms::template at_offset<S>(self.scheme, context, Point(offset, 1), heads, arrays.weights());
          for (Index h = 0; h < H; ++h) table[static_cast<std::size_t>(h * R + r)] = heads[static_cast<std::size_t>(h)];
        }
        const bool past_caches = static_cast<std::size_t>(H * Nq * Nk) * sizeof(S) > largest_cached;
        for (Index h = 0; h < H; ++h)
          for (Index i = 0; i < Nq; ++i) offsets.gather(table.data() + h * R, i, &out(h, i, 0), past_caches);
        finish_copies();
        return;
      }
    }
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j) {
        Forms::template at_pair<S>(self.scheme, context, queries[i], keys[j], heads, arrays.weights());
        for (Index h = 0; h < H; ++h) out(h, i, j) = heads[static_cast<std::size_t>(h)];
      }
  }

  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    const Points queries = checked_positions(call.query_positions, "query_positions", self.rule);
    const Points keys = checked_positions(call.key_positions, "key_positions", self.rule);
    const Index H = self.model.H, Nq = queries.size(), Nk = keys.size();
    const Tensor<const S> given = checked<const S>(call.output_gradient, "output_gradient", {H, Nq, Nk});
    const WeightArrays<S> arrays(call, self.weight_rows);
    WeightSinks<S> sinks(call, self.weight_rows);
    if (!sinks.wanted()) return;
    if constexpr (Forms::takes_weights || by_hand) {
      Backward<S> backward(self, context_of(call), arrays, sinks);
      std::vector<S> heads(static_cast<std::size_t>(H));
      if constexpr (Forms::of_offset) {
        if (const Offsets offsets(queries, keys); offsets.can_be_tabulated()) {
          const Index R = offsets.count();
          std::vector<double> sums(static_cast<std::size_t>(H * R));  // [H, R]: of the gradient along each diagonal
          for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < Nq; ++i) offsets.add_back(&given(h, i, 0), i, sums.data() + h * R);
          for (Index r = 0; r < R; ++r) {
            const double offset[most_axes] = {offsets.at(r)};
            for (Index h = 0; h < H; ++h)
              heads[static_cast<std::size_t>(h)] = static_cast<S>(sums[static_cast<std::size_t>(h * R + r)]);
            backward.at_offset(Point(offset, 1), heads);
          }
          return;
        }
      }
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j < Nk; ++j) {
          for (Index h = 0; h < H; ++h) heads[static_cast<std::size_t>(h)] = given(h, i, j);
          backward.at_pair(queries[i], keys[j], heads);
        }
    }
  }

 private:
  /// Adds to the weights' gradients what one offset or one pair gives, by the author's own gradient or by the tape.
  template <class S>
  class Backward {
   public:
    Backward(const Instance<T>& self, const Context& context, const WeightArrays<S>& arrays, WeightSinks<S>& sinks)
        : self_(self),
          context_(context),
          arrays_(arrays),
          sinks_(sinks),
          leaves_(tape_, arrays),
          heads_(static_cast<std::size_t>(self.model.H)) {
      if constexpr (by_hand) weight_gradients_ = sinks.weights();
    }

    void at_offset(Point offset, Row<const S> given) {
      if constexpr (by_hand) {
        GradientForms::template at_offset<S>(self_.scheme, context_, offset, given, arrays_.weights(),
                                             weight_gradients_);
      } else {
        Forms::template at_offset<Variable>(self_.scheme, context_, offset, heads_, leaves_.weights());
        sweep(given);
      }
    }
    void at_pair(Point query, Point key, Row<const S> given) {
      if constexpr (Forms::of_offset) {
        at_offset(Difference(query, key).point(), given);
      } else if constexpr (by_hand) {
        GradientForms::template at_pair<S>(self_.scheme, context_, query, key, given, arrays_.weights(),
                                           weight_gradients_);
      } else {
        Forms::template at_pair<Variable>(self_.scheme, context_, query, key, heads_, leaves_.weights());
        sweep(given);
      }
    }

   private:
    void sweep(Row<const S> given) {
      for (std::size_t h = 0; h < given.size(); ++h) tape_.seed(heads_[h], static_cast<double>(given[h]));
      tape_.sweep([&](int array, Index offset, double gradient) { sinks_.add(array, offset, gradient); });
    }

    const Instance<T>& self_;
    Context context_;
    const WeightArrays<S>& arrays_;
    WeightSinks<S>& sinks_;
    Tape tape_;
    WeightLeaves leaves_;
    std::vector<Variable> heads_;
    Weights<S> weight_gradients_;
  };
};

}  // namespace poslab::sdk
