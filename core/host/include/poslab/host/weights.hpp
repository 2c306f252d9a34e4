// SPDX-License-Identifier: Apache-2.0
// The learnable arrays of a scheme.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

using base::Index;
using base::View;

/// One learnable array as its scheme declares it.
struct WeightInfo {
  std::string name, sentence;
  int rank = 0;
  std::array<Index, base::max_rank> shape{1, 1, 1, 1};
  bool per_layer = false;
  int initialisation = POSLAB_CONSTANT;  ///< enum poslab_initialisation
  double first = 0, second = 0;
  bool frozen = false;  ///< training leaves it as it was drawn
};

/// The learnable arrays of a scheme for `layers` layers, owned here. `layer(l)` gives one view per declared weight,
/// in declared order; weights that are shared give the same view for each layer.
template <class S>
class Weights {
 public:
  Weights() = default;
  Weights(const std::vector<WeightInfo>& infos, Index layers);  ///< zeros
  std::vector<View<const S>> layer(Index layer) const;
  std::vector<View<S>> layer(Index layer);
  std::vector<std::vector<base::Array<S>>>& arrays() { return arrays_; }  ///< [weight][layer, or one]
  const std::vector<std::vector<base::Array<S>>>& arrays() const { return arrays_; }
  bool empty() const { return arrays_.empty(); }

 private:
  std::vector<std::vector<base::Array<S>>> arrays_;
};

}  // namespace poslab::host
