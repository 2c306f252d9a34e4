// SPDX-License-Identifier: Apache-2.0
// What can only be checked once all parts of a study were read.
#pragma once

#include "readers/readers.hpp"

namespace poslab::study {

/// Cells that one study may have. A planned cell takes about 1 kB: this many fit into a common machine.
inline constexpr double most_cells = 1e6;

/// How many cells the study has at least: repeats that it leaves open count once.
double count_cells(const Study& study, const data::Catalogue& catalogue);

void refuse_huge_studies(Draft& draft);
void refuse_equal_variants(Draft& draft);
/// Refuses a label that somebody has given to a variant and that another one has, too.
void refuse_equal_labels(Draft& draft);
void refuse_unmatched_expectations(Draft& draft);

/// The sentence of refuse_huge_studies.
std::string too_many_cells(double cells);

}  // namespace poslab::study
