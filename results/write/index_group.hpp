// SPDX-License-Identifier: Apache-2.0
// The index of all cells at a file's root, so that opening the file without a group shows the run.
#pragma once

#include "write/first_pass.hpp"
#include "write/group.hpp"

#include "poslab/data/outcome.hpp"

namespace poslab::results {

void write_index(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                 const FirstPass& pass);

std::vector<std::uint8_t> status_flags(const std::vector<data::Status>& statuses);
/// flag_values, flag_meanings and a sentence.
Attributes status_attributes();

}  // namespace poslab::results
