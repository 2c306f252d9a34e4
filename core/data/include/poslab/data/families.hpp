// SPDX-License-Identifier: Apache-2.0
// For how many answers of a study the marks of a column are corrected.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace poslab::data {

/// By the experiment's id: its rows in the whole study, each at every point of the axes. Not fewer where a run performs
/// a part of the study (--only, --shard), so that a mark does not depend on what else was run.
using Families = std::map<std::string, std::size_t>;

}  // namespace poslab::data
