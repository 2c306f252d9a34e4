// SPDX-License-Identifier: Apache-2.0
#include "poslab/study/supply.hpp"

#include <fmt/format.h>

namespace poslab::study {

const SupplyView& no_supply() {
  static const class : public SupplyView {
    std::vector<data::Given> of(const data::Cell&) const override { return {}; }
    std::optional<int> repeats_of(const data::Cell&) const override { return {}; }
  } none;
  return none;
}

TooFewWeights::TooFewWeights(const data::Cell& cell, int wanted_, int there_)
    : base::Error(
          fmt::format("{} repeats are asked for, but --weights has trained weights for {}; say repeats = {} or fewer "
                      "in the study, for {} of {}",
                      wanted_, there_, there_, cell.experiment, cell.variant.label)),
      experiment(cell.experiment),
      variant(cell.variant.label),
      wanted(wanted_),
      there(there_) {}

WeightsDoNotFit::WeightsDoNotFit(const data::Cell& cell, const std::string& misfit_)
    : base::Error(fmt::format("--weights do not fit: {}; that is {} of {} at {}", misfit_, cell.experiment,
                              cell.variant.label, data::outer_axes_text(cell))),
      experiment(cell.experiment),
      variant(cell.variant.label),
      misfit(misfit_) {}

}  // namespace poslab::study
