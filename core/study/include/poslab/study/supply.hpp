// SPDX-License-Identifier: Apache-2.0
// What a run is handed beside its study, as far as planning asks: which cell gets what, by hash.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/cell.hpp"

namespace poslab::study {

/// What planning asks of a supply.
class SupplyView {
 public:
  virtual ~SupplyView() = default;
  /// What is given to a cell, whose repeat counts. Throws base::Error if a file that it needs is missing.
  virtual std::vector<data::Given> of(const data::Cell& cell) const = 0;
  /// For how many repeats of a cell there are weights; nothing: as many as are wanted.
  virtual std::optional<int> repeats_of(const data::Cell& cell) const = 0;
};
/// The supply of a run with nothing but a study.
const SupplyView& no_supply();

/// A study asks for more repeats than there are weights for.
struct TooFewWeights : base::Error {
  TooFewWeights(const data::Cell& cell, int wanted, int there);
  std::string experiment, variant;
  int wanted, there;
};

/// Weights that were given to a cell cannot be meant for it.
struct WeightsDoNotFit : base::Error {
  WeightsDoNotFit(const data::Cell& cell, const std::string& misfit);
  std::string experiment, variant, misfit;
};

}  // namespace poslab::study
