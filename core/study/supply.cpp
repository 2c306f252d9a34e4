// SPDX-License-Identifier: Apache-2.0
#include "poslab/study/plan.hpp"

namespace poslab::study {

const SupplyView& no_supply() {
  static const class : public SupplyView {
    std::vector<data::Given> of(const data::Cell&) const override { return {}; }
    std::optional<int> repeats_of(const data::Cell&) const override { return {}; }
  } none;
  return none;
}

}  // namespace poslab::study
