// SPDX-License-Identifier: Apache-2.0
// Values by rule, { range = [lo, hi, step] }, { linspace = [lo, hi, n] }, { logspace = [lo, hi, n] }, { pow2 = [a, b] }
#pragma once

#include <optional>
#include <vector>

#include "poslab/base/value.hpp"
#include "toml_reader.hpp"

namespace poslab::spec {

/// The values that a table of one of the forms stands for; nullopt after its mistake was reported.
/// `integers`: what linspace and logspace give is rounded to whole numbers.
std::optional<std::vector<base::Value>> read_form(const toml::table& form, const std::string& axis, bool integers,
                                                  Report& report);

}  // namespace poslab::spec
