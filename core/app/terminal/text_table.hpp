// SPDX-License-Identifier: Apache-2.0
// Rows of words as aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace poslab::app {

/// Stands where a row has nothing to say; a legend says so.
inline constexpr const char* no_entry = "–";

/// The first column left-aligned, the others right-aligned, two spaces between; the first row is the heading. What is
/// wider than `width` characters continues below, with the first `key_columns` columns again.
std::string text_table(std::vector<std::vector<std::string>> rows, std::size_t key_columns, std::size_t width);

}  // namespace poslab::app
