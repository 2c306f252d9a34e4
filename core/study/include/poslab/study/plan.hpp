// SPDX-License-Identifier: Apache-2.0
// Study -> Plan: every cell, in order, with its identity; those that cannot run are planned as skipped.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/families.hpp"
#include "poslab/study/study.hpp"

namespace poslab::study {

/// What planning asks of a supply. This one is that of a run with nothing but a study.
class SupplyView {
 public:
  virtual ~SupplyView() = default;
  /// What is given to a cell, whose repeat counts. Throws base::Error if a file that it needs is missing.
  virtual std::vector<data::Given> of(const data::Cell& /*cell*/) const { return {}; }
  /// For how many repeats of a cell there are weights; nothing: as many as are wanted.
  virtual std::optional<int> repeats_of(const data::Cell& /*cell*/) const { return {}; }
};

/// One forecast per cell. Called once, with all cells that the study does not skip itself, without their repeats: the
/// forecasts may be made in another process.
using Forecaster = std::function<std::vector<data::Forecast>(const std::vector<const data::Cell*>& cells)>;

struct Plan {
  std::vector<data::Cell> cells;          ///< plan order: experiment, scheme, variant, axes, repeat
  std::vector<data::Estimate> estimates;  ///< one per cell
  std::vector<data::Expectation> expectations;
  data::Families families = {};  ///< of the whole study, of which this may be a part

  /// The index of the first repeat of a cell: those that share work come one after another, all of them in one plan.
  std::size_t first_repeat(std::size_t index) const { return index - static_cast<std::size_t>(cells[index].repeat); }
};

/// Crosses variants, axes and repeats. Repeats default to 10 where the experiment draws contents, the variant draws
/// weights or the placement is drawn, else 1. A skipped cell has the reason of the study's `skip` or of the forecast,
/// and one repeat. A cell that is asked for twice is planned once.
/// A variant with weights from an earlier run has as many repeats as that run, unless the study says fewer.
/// Throws StudyErrors: no cells, too many, or an expectation that matches no cell; base::Error for
/// weights that are too few or do not fit, and what `supply` throws.
Plan make_plan(const Study& study, const data::Catalogue& catalogue, const Forecaster& forecast,
               const SupplyView& supply = SupplyView());

/// The families of a study that `overrides` were applied to: as if nothing were left out of it (--only), with what has
/// joined it. Parses the study's text once more where something is left out.
data::Families families_of(const Study& study, const Overrides& overrides, const data::Catalogue& catalogue);

/// Whether `cell` meets an expectation's `where` (names of inner dimensions are not looked at).
bool matches(const data::Values& where, const data::Cell& cell);

}  // namespace poslab::study
