// SPDX-License-Identifier: Apache-2.0
// What can only be done once all parts of a study were read: changes from the command line (--axis and --only), and
// checks of the whole.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "readers/readers.hpp"

namespace poslab::study {

/// Cells that one study may have. A planned cell takes about 1 kB: this many fit into a common machine.
inline constexpr double max_cells = 1e6;

/// How many cells the study has at least: repeats that it leaves open count once.
double count_cells(const Study& study, const data::Catalogue& catalogue);

void refuse_huge_studies(Draft& draft);
void refuse_equal_variants(Draft& draft);
/// Refuses a label that somebody has given to a variant and that another one has, too.
void refuse_equal_labels(Draft& draft);
void refuse_unmatched_expectations(Draft& draft);

/// The sentence of refuse_huge_studies.
std::string too_many_cells(double cells);

/// Whether one of a study's schemes, or of its experiments, is this one.
template <class Uses>
bool has_use(const Uses& uses, const std::string& id) {
  return std::ranges::any_of(uses, [&](const auto& use) { return use.id == id; });
}

/// Leaves of every experiment the points that have, for each axis in `chosen`, one of the values given for it, and no
/// experiment that has none. Mistakes are reported as of the command line.
void keep_values(const std::vector<std::pair<std::string, std::string>>& chosen, Draft& draft);

/// Changes a study that was read without mistakes. Mistakes are reported as of the command line. Expectations that
/// match no cell any more are left out.
void apply_overrides(const Overrides& overrides, Draft& draft);

}  // namespace poslab::study
