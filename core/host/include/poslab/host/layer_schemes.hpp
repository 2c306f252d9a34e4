// SPDX-License-Identifier: Apache-2.0
// Which scheme each layer of a stack has, and their weights.
#pragma once

#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::host {

/// The scheme of each layer: layer l has entry l modulo their number; null: no positions. Those who own the schemes
/// keep them alive; the same scheme with the same parameters is one object.
class LayerSchemes {
 public:
  // NOLINTBEGIN(google-explicit-constructor): one scheme is that of every layer
  LayerSchemes(const Scheme& of_all) : list_{&of_all} {}
  LayerSchemes(const Scheme* of_all) : list_{of_all} {}
  // NOLINTEND(google-explicit-constructor)
  /// Precondition: not empty.
  explicit LayerSchemes(std::vector<const Scheme*> list) : list_(std::move(list)) {}

  const Scheme* layer(Index layer) const { return list_[static_cast<std::size_t>(layer) % list_.size()]; }
  const std::vector<const Scheme*>& list() const { return list_; }
  /// That of layer 0. Precondition: it has one.
  const Scheme& first() const { return *list_.front(); }

  /// A scheme, and the layers below some depth that have it.
  struct Part {
    const Scheme* scheme;
    std::vector<Index> layers;
  };
  /// Every scheme that a stack of so many layers has, in order of its first layer. Layers without one are left out.
  std::vector<Part> parts(Index layers) const;
  /// The same for all of the list, whatever the depth.
  std::vector<const Scheme*> different() const;

  /// The first refusal of why_not(scheme), asked of each scheme.
  template <class WhyNot>
  std::optional<base::Refusal> first_refusal(const WhyNot& why_not) const {
    for (const Scheme* scheme : different())
      if (auto refusal = why_not(*scheme)) return refusal;
    return std::nullopt;
  }
  /// That of Scheme::why_not_positions for the first that does not serve them.
  std::optional<base::Refusal> why_not_positions(double lowest, double highest) const {
    return first_refusal([&](const Scheme& scheme) { return scheme.why_not_positions(lowest, highest); });
  }
  template <class Question>
  bool any(const Question& question) const {
    for (const Scheme* scheme : different())
      if (question(*scheme)) return true;
    return false;
  }
  /// Nothing of any depends on the length of a sequence, as they claim.
  bool are_length_free() const {
    return !any([](const Scheme& scheme) { return !scheme.claims(POSLAB_LENGTH_FREE); });
  }

 private:
  std::vector<const Scheme*> list_;
};

/// The weights of a stack: each layer has those of its scheme.
template <class S>
class LayerWeights {
 public:
  LayerWeights() = default;
  /// Zeros for a stack of `layers`.
  LayerWeights(const LayerSchemes& schemes, Index layers);
  /// In the order that the layer's scheme declares; empty for a layer without one.
  std::vector<View<const S>> layer(Index layer) const;
  std::vector<View<S>> layer(Index layer);

  /// The weights of one scheme, with room for every layer: those of the others are not used.
  struct OfScheme {
    LayerSchemes::Part part;
    Weights<S> weights;
  };
  std::vector<OfScheme>& parts() { return parts_; }
  const std::vector<OfScheme>& parts() const { return parts_; }

 private:
  std::vector<OfScheme> parts_;
  std::vector<int> part_index_;  // which part; -1: none
};

/// Fresh weights of every layer: each scheme's own draws, by the layer's number in the stack.
LayerWeights<double> draw_weights(const LayerSchemes& schemes, const data::Draws& draws, Index layers);

}  // namespace poslab::host
