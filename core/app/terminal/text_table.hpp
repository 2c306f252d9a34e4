// SPDX-License-Identifier: Apache-2.0
// Rows of words as aligned columns, and lines broken at blanks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace poslab::app {

/// Characters as a terminal counts them: UTF-8 continuation bytes take no place.
std::size_t display_width(const std::string& text);
/// Its first `width` characters; it is printable.
std::string begin_of(const std::string& text, std::size_t width);
/// Broken at blanks into lines of at most `width` characters, all but the first indented. Ends with a line break.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);
/// The first column left-aligned, the others right-aligned, two spaces between; the first row is the heading. What is
/// wider than `width` characters continues below, with the first `key_columns` columns again.
std::string text_table(std::vector<std::vector<std::string>> rows, std::size_t key_columns, std::size_t width);

}  // namespace poslab::app
