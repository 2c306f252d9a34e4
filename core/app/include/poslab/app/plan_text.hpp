// SPDX-License-Identifier: Apache-2.0
// A plan in words: what `--plan` prints.
#pragma once

#include <string>

#include "poslab/spec/plan.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::app {

std::string plan_text(const spec::Study& study, const spec::Plan& plan, int threads, double memory);
/// "length=4096 d_model=512 heads=8": the outer axes of a cell.
std::string axes_text(const base::Cell& cell);

}  // namespace poslab::app
