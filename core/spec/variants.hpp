// SPDX-License-Identifier: Apache-2.0
// The variants that a study asks for.
#pragma once

#include <vector>

#include "poslab/base/cell.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::spec {

/// The parameters that a study sets or varies anywhere for this scheme, in declared order.
std::vector<std::string> varied_names(const Study& study, const base::SchemeInfo& info);

/// The variants of one use, in order; `varied` goes into their labels: `rope(base=500000.0, style=half-split)`.
std::vector<base::Variant> variants_of(const SchemeUse& use, const base::SchemeInfo& info,
                                       const std::vector<std::string>& varied);

}  // namespace poslab::spec
