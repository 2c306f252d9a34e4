// SPDX-License-Identifier: Apache-2.0
// The names of a dataset's dimensions: those of the dimension scales on its axes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "h5/dataset.hpp"

namespace poslab::results::h5 {

/// The names of a group's objects by their address in the file, by which a dataset refers to the scales on its axes.
using ScaleNames = std::map<haddr_t, std::string>;
ScaleNames scale_names(hid_t group);
/// Empty for an axis without a scale in the dataset's own group.
std::vector<std::string> dimension_names(hid_t dataset, const ScaleNames& scales);

}  // namespace poslab::results::h5
