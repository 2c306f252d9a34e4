// SPDX-License-Identifier: Apache-2.0
// What a variant makes of the contents of a subject, and the dump of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planted.hpp"

namespace planted {

using dumps::Numbers;
using poslab::base::View;
using poslab::host::Side;

/// A variant with weights of its own, the same for the same scheme and shapes.
struct Instance {
  Instance(const Named& variant, const poslab::host::Model& model);
  poslab::host::Scheme scheme;
  poslab::host::Weights<double> drawn;
  std::vector<View<const double>> views;
};

/// At any positions.
class Making {
 public:
  Making(const Subject& subject, const Named& variant);
  const poslab::host::Scheme& scheme() const { return made_.scheme; }
  poslab::host::Context context(bool causal) const;
  Numbers table(const Array<double>& positions) const;
  Numbers rotated(Side side, const Array<double>& positions, const Array<double>& x) const;
  // The channels of each plane: where the first channel of the fastest goes.
  std::vector<std::pair<Index, Index>> planes() const;
  // [N, P] each.
  std::pair<Numbers, Numbers> waves(const Array<double>& positions) const;
  Numbers bias(const Array<double>& positions) const;
  Numbers logits(const Array<double>& positions, std::optional<double> scale = {}) const;
  Numbers outputs(const Array<double>& positions, bool causal) const;
  View<const double> layer_input() const;
  void give_weights(Planted& planted) const;

  Array<double> query, key, value;
  Numbers input;

 private:
  const Subject& subject_;
  Instance made_;
};

/// What is shown, before it becomes a dump.
struct Shown {
  Numbers first, second;  ///< table; cosines and sines; rotated queries and keys; bias; logits; outputs
};
Shown shown_of(const Subject& subject, const Making& making, const Array<double>& positions);
Planted dump_of(const Subject& subject, const Making& making, const std::string& slip, const Shown& shown);

Numbers numbers_of(const Array<double>& x);

}  // namespace planted
