// SPDX-License-Identifier: Apache-2.0
// A plan in words: what `--plan` prints.
#pragma once

#include <string>
#include <vector>

#include "poslab/run/standing.hpp"
#include "poslab/spec/plan.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::app {

/// With why each cell would run.
std::string plan_text(const spec::Study& study, const spec::Plan& plan, const std::vector<run::Standing>& standings,
                      int threads, double memory);
/// "length=4096 d_model=512 heads=8": the outer axes of a cell.
std::string axes_text(const base::Cell& cell);

}  // namespace poslab::app
