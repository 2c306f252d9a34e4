// SPDX-License-Identifier: Apache-2.0
// What the experiments say of each variant.
#pragma once

#include "poslab/data/answer.hpp"
#include "write/group.hpp"

namespace poslab::results {

void write_answers(const h5::Handle& file, const data::AnswerTable& table);

}  // namespace poslab::results
