// SPDX-License-Identifier: Apache-2.0
// What a variant is called.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/cell.hpp"

namespace poslab::data {

/// `rope(style=interleaved)`: a name, and the parameters that tell its variants apart. One that is unset is not told:
/// that it is missing tells it from the variants that have a value.
std::string label_of(const std::string& name, const Values& parameters, const std::vector<std::string>& told);
/// The parameters that the label of a variant tells, as one JSON object of their texts, null for what is unset; empty
/// where the label is the study's own.
std::string label_parameters(const Variant& variant);

}  // namespace poslab::data
