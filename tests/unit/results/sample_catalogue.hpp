// SPDX-License-Identifier: Apache-2.0
// What the experiments and schemes of the made-up run declare.
#pragma once

#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"

namespace poslab::sample {

data::ExperimentInfo uniqueness();
data::ExperimentInfo relative_shift();
std::vector<data::SchemeInfo> schemes();
/// One of `none` and `sinusoidal`, two of `rope`, one of `learned`.
std::vector<data::Variant> variants();

}  // namespace poslab::sample
