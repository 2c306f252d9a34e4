// SPDX-License-Identifier: Apache-2.0
// A plan in words: what `--plan` prints.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::app {

/// With how many cells would run for which reason.
std::string plan_text(const spec::Study& study, const spec::Plan& plan, const std::vector<run::Standing>& standings,
                      int threads, double memory);
/// How much more the journal holds, or nothing.
std::string others_text(const spec::Plan& plan, const std::unordered_map<std::string, run::JournalKnown>& known);
/// One line a cell: whether it would run, and why.
std::string cells_text(const spec::Plan& plan, const run::Standings& standings);
/// "length=4096 d_model=512 heads=8": the outer axes of a cell.
std::string axes_text(const base::Cell& cell);

}  // namespace poslab::app
