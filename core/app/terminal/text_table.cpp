// SPDX-License-Identifier: Apache-2.0
#include "terminal/text_table.hpp"

#include <algorithm>

#include "poslab/base/printable.hpp"
#include "terminal/styled_text.hpp"

namespace poslab::app {
namespace {

// The key columns and columns first .. end - 1.
std::string block(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& widths,
                  std::size_t key_columns, std::size_t first, std::size_t end) {
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < end; ++i) {
      if (i >= key_columns && i < first) continue;
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string text_table(std::vector<std::vector<std::string>> rows, std::size_t key_columns, std::size_t width) {
  for (auto& row : rows)
    for (std::string& entry : row) entry = base::printable(entry);
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  std::size_t key_width = 0;
  for (std::size_t i = 0; i < key_columns; ++i) key_width += 2 + widths[i];
  std::string text;
  for (std::size_t first = key_columns, end = first;; first = end) {
    std::size_t used = key_width;
    while (end < widths.size() && (end == first || used + 2 + widths[end] <= width)) used += 2 + widths[end++];
    text += block(rows, widths, key_columns, first, end);
    if (end == widths.size()) return text;
    text += "\n";
  }
}

}  // namespace poslab::app
