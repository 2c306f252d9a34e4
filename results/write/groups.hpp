// SPDX-License-Identifier: Apache-2.0
// The groups of a results file (results/schema.md), in the order in which they are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/results/writer.hpp"
#include "write/first_pass.hpp"
#include "write/group.hpp"

namespace poslab::results {

/// The index of all cells at a file's root, so that opening the file without a group shows the run.
void write_index(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                 const FirstPass& pass);

/// One experiment: its cells as columns, the dimensions of its curves, its measures. Reads the outcome of every row
/// that has curves once more, one at a time, in order.
void write_experiment(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                      const FirstPass& pass, const ExperimentTable& experiment);

/// The arrays that cells kept, a group for each cell; nothing where no cell kept any. Reads the outcomes of those that
/// did, one at a time.
void write_trained(const h5::Handle& file, const std::vector<Row>& rows, const FirstPass& pass);

/// What the experiments say of each variant.
void write_answers(const h5::Handle& file, const data::AnswerTable& table);

/// What the study expected, what was measured, whether it holds.
void write_expectations(const h5::Handle& file, const std::vector<data::ExpectationResult>& results);

/// Machine facts: the only group in which two exact runs may differ.
void write_provenance(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                      const FirstPass& pass);

using SchemesOfVariants = std::map<std::string, std::vector<std::string>>;  ///< ids, by the label
/// Its texts `doubts` and `weights_from`: what readers say beside names of variants. Made from two others, which are
/// JSON; both are absent where there is nothing to say.
void write_notes(Group& provenance, const SchemesOfVariants& schemes, const std::string& plugin_checks,
                 const std::string& supply);

}  // namespace poslab::results
