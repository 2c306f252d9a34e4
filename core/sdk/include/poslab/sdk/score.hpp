// SPDX-License-Identifier: Apache-2.0
// The operation `score`: an author writes it for a whole tile, score(tile, weights). Its gradient, where not written by
// hand, is derived on a tape for one row of queries at a time.
// Dimension letters: Nq queries of the tile, Nk keys, D model width, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/sdk/arguments.hpp"
#include "poslab/sdk/arrays.hpp"
#include "poslab/sdk/failure.hpp"
#include "poslab/sdk/instance.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/mistakes.hpp"
#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/tile.hpp"

namespace poslab::sdk {

template <class T, Gradients gradients>
struct Score {
  static constexpr Optional optional = 0b10;  // the weights
  template <class S>
  static constexpr Arguments taken_by =
      taken<optional, members::score, Returning<void>, T, const ScoreTile<S>&, Weights<const S>>;
  template <class S>
  static constexpr Mistake mistake_for =
      mistake<optional, members::score, Returning<void>, T, const ScoreTile<S>&, Weights<const S>>;
  POSLAB_SDK_SIGNATURE(
      "score", of_both(mistake_for<float>, mistake_for<double>),
      "template <class S> void score(const ScoreTile<S>& tile, Weights<const S> weights) const. Weights "
      "may be left out. It must be public.");

  template <class S>
  static constexpr bool by_hand_for = taken<0, members::score_gradient, Returning<void>, T, const ScoreTile<S>&,
                                            Weights<const S>, const ScoreGradient<S>&, Weights<S>> != 0;
  static constexpr bool by_hand = by_hand_for<float> && by_hand_for<double>;
  static_assert(by_hand || !members::score_gradient::named_in<T>,
                "score_gradient has another signature than: template <class S> void score_gradient(const ScoreTile<S>& "
                "tile, Weights<const S> weights, const ScoreGradient<S>& gradient, Weights<S> weight_gradients) const. "
                "It must be public.");
  static constexpr bool on_tape = !(by_hand && gradients == Gradients::by_hand);
  static_assert(
      !on_tape || taken_by<Variable> != 0,
      "the gradient of score is derived by calling it with another S than float and double. Write it for any S: "
      "template <class S> void score(const ScoreTile<S>& tile, Weights<const S> weights) const, with class, not "
      "std::floating_point.");

  template <class S>
  static void forward(const Instance<T>& self, const poslab_call& call) {
    ScoreTile<S> tile = tile_of<S>(self, call);
    tile.logits = checked<S>(call.output, "output", logits_extents(self, tile));
    const WeightArrays<S> arrays(call, self.weight_rows);
    call_with<members::score, taken_by<S>>(self.scheme, static_cast<const ScoreTile<S>&>(tile), arrays.weights());
  }

  template <class S>
  static void gradient(const Instance<T>& self, const poslab_call& call) {
    const ScoreTile<S> tile = tile_of<S>(self, call);
    const Tensor<const S> given = checked<const S>(call.output_gradient, "output_gradient", logits_extents(self, tile));
    const WeightArrays<S> arrays(call, self.weight_rows);
    const Index Nk = tile.key_positions.size();
    Sinks<S> sinks{WeightSinks<S>(call, self.weight_rows),
                   Sink<S>(call.layer_input_gradient, "layer_input_gradient", {Nk, self.model.D}),
                   Sink<S>(call.query_gradient, "query_gradient", tile.query.extents()),
                   Sink<S>(call.key_gradient, "key_gradient", tile.key.extents())};
    if constexpr (!on_tape) {
      const ScoreGradient<S> to_add{given, sinks.layer_input.tensor(), sinks.query.tensor(), sinks.key.tensor()};
      self.scheme.score_gradient(tile, arrays.weights(), to_add, sinks.weights.weights());
    } else {
      Rows<S> rows(self, tile, given, arrays, sinks);
      for (Index i = 0; i < tile.query_positions.size(); ++i) rows.run(i);
    }
  }

 private:
  template <class S>
  struct Sinks {
    WeightSinks<S> weights;
    Sink<S> layer_input, query, key;
  };

  template <class S>
  static Extents logits_extents(const Instance<T>& self, const ScoreTile<S>& tile) {
    return {self.model.H, tile.query_positions.size(), tile.key_positions.size()};
  }

  /// All but the logits.
  template <class S>
  static ScoreTile<S> tile_of(const Instance<T>& self, const poslab_call& call) {
    ScoreTile<S> tile;
    tile.context = context_of(call);
    tile.query_positions = checked_positions(call.query_positions, "query_positions", self.rule);
    tile.key_positions = checked_positions(call.key_positions, "key_positions", self.rule);
    tile.first_query = call.first_query;
    tile.scale = call.scale;
    const Index H = self.model.H, Nq = tile.query_positions.size(), Nk = tile.key_positions.size(), K = self.model.K;
    tile.query = checked<const S>(call.query, "query", {H, Nq, K});
    tile.key = checked<const S>(call.key, "key", {H, Nk, K});
    if (call.layer_input)
      tile.optional_layer_input = checked<const S>(call.layer_input, "layer_input", {Nk, self.model.D});
    return tile;
  }

  /// The tape, with a tile of one row of queries whose arrays are leaves.
  template <class S>
  class Rows {
   public:
    Rows(const Instance<T>& self, const ScoreTile<S>& tile, const Tensor<const S>& given, const WeightArrays<S>& arrays,
         Sinks<S>& sinks)
        : self_(self),
          tile_(tile),
          given_(given),
          sinks_(sinks),
          weights_(tape_, arrays),
          H_(self.model.H),
          Nq_(tile.query_positions.size()),
          Nk_(tile.key_positions.size()),
          K_(self.model.K),
          adds_(!self.properties.score_writes_logits),
          logits_(static_cast<std::size_t>(H_ * Nk_)),
          by_logits_(logits_.size()) {
      row_.context = tile.context;
      row_.key_positions = tile.key_positions;
      row_.scale = tile.scale;
      row_.key = {tape_, key_array, tile.key};
      if (tile.optional_layer_input.rank() > 0)
        row_.optional_layer_input = {tape_, layer_input_array, tile.optional_layer_input};
      row_.logits = {logits_.data(), {H_, 1, Nk_}};
    }

    void run(Index i) {
      row_.query_positions = tile_.query_positions.part(i, 1);
      row_.first_query = tile_.first_query + i;
      row_.query = {tape_, query_array, tile_.query, {H_, 1, K_}, i * K_, Nq_ * K_};
      // The logits as the host hands them over; a scheme that reads them depends on q and k through them.
      for (Index h = 0; h < H_; ++h)
        for (Index j = 0; j < Nk_; ++j) {
          const double logit = tile_.scale * static_cast<double>(dot(tile_.query.row(h, i), tile_.key.row(h, j)));
          logits_[static_cast<std::size_t>(h * Nk_ + j)] = tape_.leaf(logit, logits_array, h * Nk_ + j);
        }
      call_with<members::score, taken_by<Variable>>(self_.scheme, static_cast<const ScoreTile<Variable>&>(row_),
                                                    weights_.weights());
      for (Index h = 0; h < H_; ++h)
        for (Index j = 0; j < Nk_; ++j)
          tape_.seed(logits_[static_cast<std::size_t>(h * Nk_ + j)], static_cast<double>(given_(h, i, j)));
      tape_.sweep([&](int array, Index offset, double gradient) { add(array, offset, gradient); });
      add_through_logits(i);
    }

   private:
    static constexpr int layer_input_array = -1, query_array = -2, key_array = -3, logits_array = -4;

    void add(int array, Index offset, double gradient) {
      switch (array) {
        case layer_input_array: return sinks_.layer_input.add(offset, gradient);
        case query_array: return sinks_.query.add(offset, gradient);
        case key_array: return sinks_.key.add(offset, gradient);
        case logits_array: by_logits_[static_cast<std::size_t>(offset)] = gradient; return;
        default: return sinks_.weights.add(array, offset, gradient);
      }
    }

    /// What the scheme read from the incoming logits goes on to q and k; what it only added to, the host passes on.
    void add_through_logits(Index i) {
      for (Index h = 0; h < H_; ++h)
        for (Index j = 0; j < Nk_; ++j) {
          const double passed_on = adds_ ? static_cast<double>(given_(h, i, j)) : 0.0;
          const double gradient = tile_.scale * (by_logits_[static_cast<std::size_t>(h * Nk_ + j)] - passed_on);
          if (gradient == 0) continue;
          if constexpr (members::bias::named_in<T>)
            require(!self_.offers(Operation::bias),
                    "the gradient of a score that reads the logits it finds is not derived beside a bias, which is in "
                    "them, too: write score_gradient by hand, or let score add what bias adds");
          for (Index k = 0; k < K_; ++k) {
            sinks_.query.add((h * Nq_ + i) * K_ + k, gradient * static_cast<double>(tile_.key(h, j, k)));
            sinks_.key.add((h * Nk_ + j) * K_ + k, gradient * static_cast<double>(tile_.query(h, i, k)));
          }
        }
    }

    const Instance<T>& self_;
    const ScoreTile<S>& tile_;
    const Tensor<const S>& given_;
    Sinks<S>& sinks_;
    Tape tape_;
    WeightLeaves weights_;
    ScoreTile<Variable> row_;
    Index H_, Nq_, Nk_, K_;
    bool adds_;
    std::vector<Variable> logits_;   // [H, 1, Nk]
    std::vector<double> by_logits_;  // [H, 1, Nk]: the gradient by the incoming logits
  };
};

}  // namespace poslab::sdk
