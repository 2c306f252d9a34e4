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

double mean_of_block(base::View<const double> matrix, base::Index row, base::Index row_end, base::Index column,
                     base::Index column_end) {
  double sum = 0;
  for (base::Index i = row; i < row_end; ++i)
    for (base::Index j = column; j < column_end; ++j) sum += matrix(i, j);
  return sum / static_cast<double>((row_end - row) * (column_end - column));
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
  const base::Index high = std::min(rows, most_rows), wide = std::min(columns, most_columns);
  base::Array<double> means{high, wide};
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (base::Index i = 0; i < high; ++i)
    for (base::Index j = 0; j < wide; ++j) {
      means(i, j) =
          mean_of_block(matrix, i * rows / high, (i + 1) * rows / high, j * columns / wide, (j + 1) * columns / wide);
      if (std::isfinite(means(i, j))) least = std::min(least, means(i, j)), greatest = std::max(greatest, means(i, j));
    }
  std::string text = title + "\n";
  for (base::Index i = 0; i < high; ++i) {
    text += "  ";
    for (base::Index j = 0; j < wide; ++j) {
      const double share = greatest > least ? (means(i, j) - least) / (greatest - least) : 0.5;
      text += std::isfinite(share) ? shades[static_cast<std::size_t>(std::clamp(std::lround(share * 4), 0L, 4L))] : "?";
    }
    text += "\n";
  }
  return text + fmt::format("  {} rows x {} columns; ' ' is {:.4g}, '█' is {:.4g}\n", rows, columns, least, greatest);
}

}  // namespace poslab::app
