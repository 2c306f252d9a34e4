// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "poslab/base/printable.hpp"

namespace poslab::app {

std::size_t terminal_width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string lines, line = text.substr(0, text.find_first_not_of(' '));
  bool empty = true;
  std::size_t begin = line.size();
  // A word with the blanks before it, so that columns stay where they are.
  while (begin < text.size()) {
    const std::size_t word = std::min(text.find_first_not_of(' ', begin), text.size());
    const std::size_t end = std::min(text.find(' ', word), text.size());
    if (!empty && terminal_width_of(line) + terminal_width_of(text.substr(begin, end - begin)) > width) {
      lines += line + "\n";
      line = std::string(indent, ' ') + text.substr(word, end - word);
    } else {
      line += text.substr(begin, end - begin);
    }
    empty = false;
    begin = end;
  }
  return lines + line + "\n";
}

namespace {

struct Steps {
  base::Index row, column;
};

// Which rows and columns of a matrix are drawn, so that it fits. Of a square one, rows that have their diagonal drawn.
Steps steps_of(base::View<const double> matrix, base::Index max_rows, base::Index max_columns) {
  const auto quotient = [](base::Index a, base::Index b) { return (a + b - 1) / b; };
  const base::Index rows = matrix.shape[0], columns = matrix.shape[1];
  Steps steps{quotient(rows, max_rows), quotient(columns, max_columns)};
  if (rows == columns) steps.row = quotient(steps.row, steps.column) * steps.column;
  return steps;
}

std::string drawn_text(const Steps& steps) {
  if (steps.row == 1 && steps.column == 1) return "";
  const auto part = [](const char* what, base::Index step) {
    return step == 1 ? fmt::format("every {}", what) : fmt::format("1 {} in {}", what, step);
  };
  return fmt::format("  a character is one entry: of {} and {}, from the first\n", part("row", steps.row),
                     part("column", steps.column));
}

// The key columns and columns first .. end - 1.
std::string block(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& widths,
                  std::size_t key_columns, std::size_t first, std::size_t end) {
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < end; ++i) {
      if (i >= key_columns && i < first) continue;
      const std::string padding(widths[i] - terminal_width_of(row[i]), ' ');
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
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], terminal_width_of(row[i]));
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

std::string picture(const std::string& title, base::View<const double> matrix, base::Index most_rows,
                    base::Index most_columns) {
  static constexpr std::array<const char*, 5> shades{" ", "░", "▒", "▓", "█"};
  const base::Index rows = matrix.shape[0], columns = matrix.shape[1];
  if (rows == 0 || columns == 0) return title + ": empty\n";
  const Steps steps = steps_of(matrix, most_rows, most_columns);
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (base::Index i = 0; i < rows; ++i)
    for (base::Index j = 0; j < columns; ++j)
      if (const double x = matrix(i, j); std::isfinite(x)) least = std::min(least, x), greatest = std::max(greatest, x);
  std::string text = title + "\n";
  for (base::Index i = 0; i < rows; i += steps.row) {
    text += "  ";
    for (base::Index j = 0; j < columns; j += steps.column) {
      const double share = greatest > least ? (matrix(i, j) - least) / (greatest - least) : 0.5;
      text += std::isfinite(share) ? shades[static_cast<std::size_t>(std::clamp(std::lround(share * 4), 0L, 4L))] : "?";
    }
    text += "\n";
  }
  return text + fmt::format("  {} rows x {} columns; ' ' is {:.4g}, '█' is {:.4g}\n", rows, columns, least, greatest) +
         drawn_text(steps);
}

}  // namespace poslab::app
