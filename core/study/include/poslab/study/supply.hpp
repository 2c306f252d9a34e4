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

}  // namespace poslab::study
