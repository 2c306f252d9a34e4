// SPDX-License-Identifier: Apache-2.0
// Values by rule, { range = [lo, hi, step] }, { linspace = [lo, hi, n] }, { logspace = [lo, hi, n] }, { pow2 = [a, b] }
#pragma once

#include <optional>
#include <vector>

#include "poslab/data/value.hpp"
#include "readers/toml_reader.hpp"

namespace poslab::study {

/// The values of a table of one of the forms; nullopt after its mistake was reported.
/// `integers`: what linspace and logspace give is rounded to whole numbers.
std::optional<std::vector<data::Value>> read_form(const toml::table& form, const std::string& axis, bool integers,
                                                  Report& report);

}  // namespace poslab::study
