// SPDX-License-Identifier: Apache-2.0
// What is concluded from the outcomes of a run. A shard has a part of the cells only: it concludes nothing, and the
// merge does.
#pragma once

#include <vector>

#include "poslab/data/answer.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/run/outcome_store.hpp"
#include "poslab/run/prepare.hpp"

namespace poslab::run {

std::vector<data::ExpectationResult> judged(const PreparedRun& run, const OutcomeStore& outcomes);
data::AnswerTable answered(const PreparedRun& run, const OutcomeStore& outcomes);

}  // namespace poslab::run
