// SPDX-License-Identifier: Apache-2.0
// Rows of words as aligned columns, and a matrix as a small picture of shades.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::app {

/// Characters as a terminal counts them: UTF-8 continuation bytes take no place.
std::size_t terminal_width_of(const std::string& text);
/// Broken at blanks into lines of at most `width` characters, all but the first indented. Ends with a line break.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);
/// The first column left-aligned, the others right-aligned, two spaces between; the first row is the heading. What is
/// wider than `width` characters continues below, with the first `key_columns` columns again.
std::string text_table(std::vector<std::vector<std::string>> rows, std::size_t key_columns, std::size_t width);
/// A matrix as shades, a character for an entry, with the range of all entries below. Of a matrix with more than
/// `most_rows` x `most_columns`, some rows and columns at equal distances: which is said below, too.
std::string picture(const std::string& title, base::View<const double> matrix, base::Index most_rows,
                    base::Index most_columns);

}  // namespace poslab::app
