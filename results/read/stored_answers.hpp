// SPDX-License-Identifier: Apache-2.0
// What a results file says that was answered and expected.
#pragma once

#include <vector>

#include "h5/objects.hpp"
#include "poslab/data/answer.hpp"
#include "poslab/data/expectation.hpp"

namespace poslab::results {

data::AnswerTable read_answers(const h5::Handle& file);  ///< empty if an older poslab wrote it
std::vector<data::ExpectationResult> read_expectations(const h5::Handle& file);

}  // namespace poslab::results
