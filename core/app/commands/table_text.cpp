// SPDX-License-Identifier: Apache-2.0
// A scheme's arrays as pictures. Dimension letters: N positions, D model width.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "commands/table.hpp"
#include "poslab/base/array.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using base::Index;

constexpr Index screen_rows = 24, screen_columns = 72;  // characters

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

std::string grid_picture(const results::NamedArray& array, const data::Placement& placement) {
  const auto& extents = placement.extents;
  const Index rows = extents[extents.size() - 2], columns = extents.back(), N = *placement.count();
  Index middle = 0;
  for (const Index extent : extents) middle = middle * extent + extent / 2;
  const Index frame = middle / (rows * columns) * rows * columns;
  const std::string title = fmt::format("{} of the query in row {}, column {}, on the grid of keys, the first head: {}",
                                        array.name, rows / 2, columns / 2, array.sentence);
  return picture(title, {array.values.data() + middle * N + frame, {rows, columns}}, screen_rows, screen_columns);
}

// The last two dimensions, at the first index of the others.
std::string matrix_picture(const results::NamedArray& array) {
  const std::size_t rank = array.shape.size();
  if (rank == 0 || array.values.empty()) return "";
  const auto columns = static_cast<Index>(array.shape[rank - 1]),
             rows = rank > 1 ? static_cast<Index>(array.shape[rank - 2]) : 1;
  const std::string title = fmt::format("{} [{}]{}: {}", array.name, base::enumerate(array.dimensions),
                                        rank > 2 ? ", the first head" : "", array.sentence);
  return picture(title, {array.values.data(), {rows, columns}}, screen_rows, screen_columns);
}

}  // namespace

std::string picture(const std::string& title, base::View<const double> matrix, base::Index max_rows,
                    base::Index max_columns) {
  static constexpr std::array<const char*, 5> shades{" ", "░", "▒", "▓", "█"};
  const base::Index rows = matrix.shape[0], columns = matrix.shape[1];
  if (rows == 0 || columns == 0) return title + ": empty\n";
  const Steps steps = steps_of(matrix, max_rows, max_columns);
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
  return text +
         fmt::format("  {} x {}; ' ' is {:.4g}, '█' is {:.4g}\n", base::counted(rows, "row"),
                     base::counted(columns, "column"), least, greatest) +
         drawn_text(steps);
}

std::string table_heading(const run::SchemeArrays& arrays, const host::Scheme& scheme, const std::string& positions) {
  return fmt::format("{}: D = {}, {}, {}{}\n{}", arrays.title, scheme.model().model_width,
                     base::counted(scheme.model().heads, "head"), positions,
                     scheme.has_trainable_weights() ? "; untrained weights" : "",
                     arrays.arrays.empty() ? "this scheme adds nothing and rotates nothing\n" : "");
}

std::string pictures_text(const run::SchemeArrays& arrays, const data::Placement& placement) {
  std::string text;
  for (const results::NamedArray& array : arrays.arrays) {
    if (placement.is_grid() && array.shape.size() == 1) continue;  // rows and columns of the positions
    const bool by_key = !array.dimensions.empty() && array.dimensions.back() == "key_position";
    text += placement.is_grid() && by_key ? grid_picture(array, placement) : matrix_picture(array);
  }
  return text;
}

}  // namespace poslab::app
