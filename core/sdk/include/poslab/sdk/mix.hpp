// SPDX-License-Identifier: Apache-2.0
// The operation `mix`: an author writes it for a whole tile, mix(tile, weights). Its gradient, where not written by
// hand, is derived on a tape for one row of queries at a time.
// Dimension letters: Nq queries of the tile, Nk keys, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/arrays.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/mistakes.hpp"
#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/tile.hpp"

namespace poslab::sdk {

template <class T, Gradients gradients>
struct Mix {
  static constexpr Optional optional = 0b10;  // the weights
  template <class S>
  static constexpr Arguments taken_by =
      taken<optional, members::mix, Returning<void>, T, const MixTile<S>&, Weights<const S>>;
  template <class S>
  static constexpr Mistake mistake_for =
      mistake<optional, members::mix, Returning<void>, T, const MixTile<S>&, Weights<const S>>;
  POSLAB_SDK_SIGNATURE("mix", of_both(mistake_for<float>, mistake_for<double>),
                       "template <class S> void mix(const MixTile<S>& tile, Weights<const S> weights) const. Weights "
                       "may be left out. It must be public.");

  template <class S>
  static constexpr bool by_hand_for = taken<0, members::mix_gradient, Returning<void>, T, const MixTile<S>&,
                                            Weights<const S>, const MixGradient<S>&, Weights<S>> != 0;
  static constexpr bool by_hand = by_hand_for<float> && by_hand_for<double>;
  static_assert(by_hand || !members::mix_gradient::named_in<T>,
                "mix_gradient has another signature than: template <class S> void mix_gradient(const MixTile<S>& tile, "
                "Weights<const S> weights, const MixGradient<S>& gradient, Weights<S> weight_gradients) const. It must "
                "be public.");
  static constexpr bool on_tape = !(by_hand && gradients == Gradients::by_hand);
  static_assert(
      !on_tape || taken_by<Variable> != 0,
      "the gradient of mix is derived by calling it with another S than float and double. Write it for any S: "
      "template <class S> void mix(const MixTile<S>& tile, Weights<const S> weights) const, with class, not "
      "std::floating_point.");

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    MixTile<S> tile = tile_of<S>(self, call);
    tile.output = checked<S>(call.output, "output", {self.model.H, tile.query_positions.size(), self.model.K});
    const WeightArrays<S> arrays(call, self.weight_rows);
    call_with<members::mix, taken_by<S>>(self.scheme, static_cast<const MixTile<S>&>(tile), arrays.weights());
  }

  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    const MixTile<S> tile = tile_of<S>(self, call);
    const Index H = self.model.H, Nq = tile.query_positions.size(), Nk = tile.key_positions.size(), K = self.model.K;
    const Tensor<const S> given = checked<const S>(call.output_gradient, "output_gradient", {H, Nq, K});
    const WeightArrays<S> arrays(call, self.weight_rows);
    WeightSinks<S> weight_sinks(call, self.weight_rows);
    Sink<S> attention(call.attention_gradient, "attention_gradient", tile.attention.extents());
    if constexpr (!on_tape) {
      const MixGradient<S> to_add{given, attention.tensor()};
      self.scheme.mix_gradient(tile, arrays.weights(), to_add, weight_sinks.weights());
    } else {
      Tape tape;
      const WeightLeaves weights(tape, arrays);
      const int attention_array = weight_sinks.count();
      std::vector<Variable> output(static_cast<std::size_t>(H * K));
      MixTile<Variable> row;
      row.context = tile.context;
      row.key_positions = tile.key_positions;
      row.output = {output.data(), {H, 1, K}};
      for (Index i = 0; i < Nq; ++i) {
        row.query_positions = tile.query_positions.part(i, 1);
        row.first_query = tile.first_query + i;
        row.attention = {tape, attention_array, tile.attention, {H, 1, Nk}, i * Nk, Nq * Nk};
        std::fill(output.begin(), output.end(), Variable());
        call_with<members::mix, taken_by<Variable>>(self.scheme, static_cast<const MixTile<Variable>&>(row),
                                                    weights.weights());
        for (Index h = 0; h < H; ++h)
          for (Index k = 0; k < K; ++k)
            tape.seed(output[static_cast<std::size_t>(h * K + k)], static_cast<double>(given(h, i, k)));
        tape.sweep([&](int array, Index offset, double gradient) {
          array == attention_array ? attention.add(offset, gradient) : weight_sinks.add(array, offset, gradient);
        });
      }
    }
  }

 private:
  /// All but the output.
  template <class S>
  static MixTile<S> tile_of(const Instance<T>& self, const poslab_call& call) {
    MixTile<S> tile;
    tile.context = context_of(call);
    tile.query_positions = checked_positions(call.query_positions, "query_positions", self.rule);
    tile.key_positions = checked_positions(call.key_positions, "key_positions", self.rule);
    tile.first_query = call.first_query;
    tile.attention = checked<const S>(call.attention, "attention",
                                      {self.model.H, tile.query_positions.size(), tile.key_positions.size()});
    return tile;
  }
};

}  // namespace poslab::sdk
