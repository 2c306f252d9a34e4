// SPDX-License-Identifier: Apache-2.0
// The variants that a study asks for.
#pragma once

#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/study/study.hpp"

namespace poslab::study {

/// The parameters that a study sets or varies anywhere for this scheme, in declared order.
std::vector<std::string> varied_names(const Study& study, const data::SchemeInfo& info);

/// The variants of one use, in order; `varied` goes into their labels: `rope(base=500000.0, style=half-split)`. Where
/// the use has a label of its own, that stands in place of the scheme and of what the use sets.
std::vector<data::Variant> variants_of(const SchemeUse& use, const data::SchemeInfo& info,
                                       const std::vector<std::string>& varied);

}  // namespace poslab::study
