// SPDX-License-Identifier: Apache-2.0
// The answers of files before schema 2.0.
#pragma once

#include "h5/objects.hpp"
#include "poslab/data/answer_table.hpp"
#include "poslab/results/upgrade.hpp"

namespace poslab::results {

/// The table of today out of stored marks, numbers, sentences and points; empty where the file answers nothing.
data::AnswerTable read_earlier_answers(const h5::Handle& file, const DeclaredColumns& declared);

}  // namespace poslab::results
