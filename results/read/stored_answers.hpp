// SPDX-License-Identifier: Apache-2.0
// What a results file says that was answered and expected.
#pragma once

#include <vector>

#include "h5/objects.hpp"
#include "poslab/data/answer_table.hpp"
#include "poslab/data/expectation.hpp"
#include "read/results_file.hpp"

namespace poslab::results {

class ColumnReader;

data::AnswerTable read_answers(const h5::Handle& file);
std::vector<data::ExpectationResult> read_expectations(const h5::Handle& file, Schemas schemas = Schemas::today);

/// Two parts of the first, which files of schemas 1.1 and 1.2 have, too. They fill in what belongs to each answer.
void read_numbers(ColumnReader& answers_group, std::vector<data::VariantAnswer>& answers, Schemas schemas);
void read_trainings(const h5::Handle& file, std::vector<data::VariantAnswer>& answers, Schemas schemas);

}  // namespace poslab::results
