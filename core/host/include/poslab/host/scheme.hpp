// SPDX-License-Identifier: Apache-2.0
// The host's face of one variant attached to one model: typed, checked calls of the plugin's operations.
// Dimension letters: N positions, Nq query positions, Nk key positions, A axes of a position, D model width, H heads,
// K head width.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/random.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/data/value.hpp"
#include "poslab/host/operations.hpp"
#include "poslab/host/scheme_errors.hpp"
#include "poslab/host/weights.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

class Plugin;  // an opened library: host/library.hpp

/// One variant attached to one model. Immutable; every member may be called from many threads at once.
/// Operations throw data::PositionOutOfRange, data::Refused or base::Error, of the kind `numeric` or `plugin`, each
/// naming the scheme. S is float or double. `weights` are Weights<S>::layer(layer).
class Scheme {
 public:
  /// Validates `parameters` (missing ones take their defaults) and creates the variant.
  /// Throws base::Error for a value outside its declared range, data::Refused for what `create` refuses.
  Scheme(std::shared_ptr<const Plugin> plugin, const data::Values& parameters, const Model& model);
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;
  ~Scheme();

  const data::SchemeInfo& info() const;
  const data::Values& parameters() const { return parameters_; }  ///< all, in declared order
  const Model& model() const { return model_; }

  bool has(Operation operation) const;
  bool has_gradient(Operation operation) const;
  bool transforms(Side side) const;
  bool looks_at_positions() const;  ///< whether it has an operation at all: `none` has not
  bool claims(poslab_claim claim) const { return (instance_.claims & static_cast<std::uint64_t>(claim)) != 0; }
  Mask mask() const { return static_cast<Mask>(instance_.mask); }
  /// The factor on q.k: the scheme's own, or 1 / sqrt(K).
  double logit_scale() const;
  /// The factor on embeddings in a network that is trained with it, 1 where it names none.
  double embedding_scale() const;
  /// The factor on the deviation of the matrix that makes queries when training begins, 1 where it names none.
  double initial_query_scale() const;
  bool score_writes_logits() const { return instance_.score_writes_logits != 0; }
  double lowest_position() const { return instance_.lowest_position; }
  double highest_position() const { return instance_.highest_position; }
  data::PositionLimits position_limits() const;
  double unique_up_to() const { return instance_.unique_up_to; }
  int least_axes() const;  ///< of a position of this variant; the plugin's own range may be wider
  int most_axes() const;
  std::span<const double> inverse_frequency() const;  ///< empty: not declared
  const std::vector<WeightInfo>& weights() const { return weights_; }
  bool draws_weights() const;          ///< whether some weight is random before training
  bool has_trainable_weights() const;  ///< whether there is a weight that training would change

  /// Throws data::PositionOutOfRange naming the position and the limit, or data::Refused for a wrong number of axes.
  void require_positions(Positions positions) const;
  /// The sentence of require_positions for positions lowest .. highest, or nothing if they can be served.
  std::optional<base::Refusal> why_not_positions(double lowest, double highest) const;
  /// Nothing if attention with this mask suits the variant; else a sentence for a skipped cell.
  std::optional<base::Refusal> why_not_mask(bool causal) const;
  /// A sequence of `length` tokens in the variant's model, under a causal mask where it means nothing without one.
  Context context(Index length) const;

  /// Fresh, untrained weights for `layers` layers, drawn as declared. Draw order does not depend on anything else.
  Weights<double> draw_weights(const data::Draws& draws, Index layers = 1) const;

  /// out [N, D] overwritten.
  template <class S>
  void encode(const Context&, Positions, std::span<const View<const S>> weights, View<S> out) const;
  /// x [H, N, K] in place; as it was where the scheme does not transform that side.
  template <class S>
  void transform(const Context&, Side, Positions, std::span<const View<const S>> weights, View<S> x,
                 Index layer = 0) const;
  /// out [H, Nq, Nk] overwritten.
  template <class S>
  void bias(const Context&, const Tile&, std::span<const View<const S>> weights, View<S> out, Index layer = 0) const;
  /// logits [H, Nq, Nk] in and out.
  template <class S>
  void score(const Context&, const Tile&, const ScoreInput<S>&, std::span<const View<const S>> weights, View<S> logits,
             Index layer = 0) const;
  /// out [H, Nq, K] added to; attention [H, Nq, Nk].
  template <class S>
  void mix(const Context&, const Tile&, View<const S> attention, std::span<const View<const S>> weights, View<S> out,
           Index layer = 0) const;

  // Vector-Jacobian products: gradients are ADDED to `weight_gradients` (one view per weight; empty: not wanted) and to
  // the others; transform's gradient is overwritten in place.
  template <class S>
  void encode_gradient(const Context&, Positions, std::span<const View<const S>> weights, View<const S> out_gradient,
                       std::span<const View<S>> weight_gradients) const;
  template <class S>
  void transform_gradient(const Context&, Side, Positions, std::span<const View<const S>> weights, View<S> gradient,
                          std::span<const View<S>> weight_gradients, View<const S> x = {}, Index layer = 0) const;
  template <class S>
  void bias_gradient(const Context&, const Tile&, std::span<const View<const S>> weights, View<const S> out_gradient,
                     std::span<const View<S>> weight_gradients, Index layer = 0) const;
  template <class S>
  void score_gradient(const Context&, const Tile&, const ScoreInput<S>&, std::span<const View<const S>> weights,
                      View<const S> logits_gradient, const ScoreGradient<S>&, std::span<const View<S>> weight_gradients,
                      Index layer = 0) const;
  template <class S>
  void mix_gradient(const Context&, const Tile&, View<const S> attention, std::span<const View<const S>> weights,
                    View<const S> out_gradient, View<S> attention_gradient, std::span<const View<S>> weight_gradients,
                    Index layer = 0) const;

 private:
  std::shared_ptr<const Plugin> plugin_;
  data::Values parameters_;
  Model model_;
  poslab_instance instance_{};
  std::vector<WeightInfo> weights_;
};

}  // namespace poslab::host
