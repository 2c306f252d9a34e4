// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, D model width.
#include "poslab/app/text/table_text.hpp"

#include <fmt/format.h>

#include "poslab/app/text/text_table.hpp"
#include "poslab/base/array.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using base::Index;

constexpr Index most_rows = 24, most_columns = 72;  // characters

std::string grid_picture(const results::NamedArray& array, const data::Placement& placement) {
  const auto& extents = placement.extents;
  const Index rows = extents[extents.size() - 2], columns = extents.back(), N = *placement.count();
  Index middle = 0;
  for (const Index extent : extents) middle = middle * extent + extent / 2;
  const Index frame = middle / (rows * columns) * rows * columns;
  const std::string title = fmt::format("{} of the query in row {}, column {}, on the grid of keys, the first head: {}",
                                        array.name, rows / 2, columns / 2, array.sentence);
  return picture(title, {array.values.data() + middle * N + frame, {rows, columns}}, most_rows, most_columns);
}

// The last two dimensions, at the first index of the others.
std::string matrix_picture(const results::NamedArray& array) {
  const std::size_t rank = array.shape.size();
  if (rank == 0 || array.values.empty()) return "";
  const auto columns = static_cast<Index>(array.shape[rank - 1]),
             rows = rank > 1 ? static_cast<Index>(array.shape[rank - 2]) : 1;
  const std::string title = fmt::format("{} [{}]{}: {}", array.name, base::enumerate(array.dimensions),
                                        rank > 2 ? ", the first head" : "", array.sentence);
  return picture(title, {array.values.data(), {rows, columns}}, most_rows, most_columns);
}

}  // namespace

std::string table_heading(const run::SchemeArrays& arrays, const host::Scheme& scheme, const std::string& positions) {
  return fmt::format("{}: D = {}, {} heads, {}{}\n{}", arrays.title, scheme.model().model_width, scheme.model().heads,
                     positions, scheme.has_trainable_weights() ? "; untrained weights" : "",
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

std::string written_text(const run::SchemeArrays& arrays, const std::string& output) {
  return fmt::format("{} arrays in {}\n", arrays.arrays.size(), base::printable(output));
}

}  // namespace poslab::app
