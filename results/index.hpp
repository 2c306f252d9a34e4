// SPDX-License-Identifier: Apache-2.0
// The index of all cells at a file's root, so that opening the file without a group shows the run.
#pragma once

#include "group.hpp"
#include "survey.hpp"

namespace poslab::results {

inline constexpr std::int64_t schema_version = 1;

void write_index(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                 const Survey& survey);

std::vector<std::uint8_t> status_flags(const std::vector<base::Status>& statuses);
/// flag_values, flag_meanings and a sentence.
Attributes status_attributes();

}  // namespace poslab::results
