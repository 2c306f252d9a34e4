// SPDX-License-Identifier: Apache-2.0
// The positions for which `poslab table` shows a scheme's arrays: --positions or --grid.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "commands/table.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/draws.hpp"

namespace poslab::app {
namespace {

constexpr const char* positions_form =
    "--positions wants A:B or A:B:STEP, whole numbers with A < B, like 0:64 for 0 to 63";
constexpr const char* grid_form = "--grid wants ROWSxCOLUMNS or FRAMESxROWSxCOLUMNS, like 8x8";

// A part of `all`, which is of this form.
base::Index whole(const char* form, const std::string& part, const std::string& all) {
  base::Index number = 0;
  const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (problem != std::errc() || end != part.data() + part.size())
    throw UsageError(fmt::format("{}, not \"{}\"", form, all));
  return number;
}

// "0:64" is 0 .. 63; "0:64:4" every fourth of them.
std::vector<double> positions_of(const std::string& text) {
  std::vector<base::Index> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t colon = std::min(text.find(':', start), text.size());
    parts.push_back(whole(positions_form, text.substr(start, colon - start), text));
    start = colon + 1;
  }
  const base::Index step = parts.size() == 3 ? parts[2] : 1;
  if (parts.size() < 2 || parts.size() > 3 || step < 1 || parts[1] <= parts[0])
    throw UsageError(fmt::format("{}, not \"{}\"", positions_form, text));
  if ((parts[1] - parts[0]) / step > 65536)
    throw UsageError(fmt::format("--positions {} are more than 65536 positions", text));
  std::vector<double> positions;
  for (base::Index p = parts[0]; p < parts[1]; p += step) positions.push_back(static_cast<double>(p));
  return positions;
}

// "8x8" is a grid of 8 rows and 8 columns, "2x8x8" two frames of it; any number of axes that the scheme accepts.
data::Placement grid_of(const std::string& text) {
  data::Placement placement;
  placement.policy = data::Placement::Policy::grid;
  double cells = 1;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t cross = std::min(text.find('x', start), text.size());
    placement.extents.push_back(whole(grid_form, text.substr(start, cross - start), text));
    cells *= static_cast<double>(placement.extents.back());
    start = cross + 1;
    if (placement.extents.back() < 1 || cells > 65536)
      throw UsageError(fmt::format("--grid wants extents of at least 1 and 65536 positions at most, not \"{}\"", text));
  }
  if (placement.axes() < 2 || placement.axes() > 3) throw UsageError(fmt::format("{}, not \"{}\"", grid_form, text));
  return placement;
}

TablePositions listed_positions(const std::string& text) {
  const std::vector<double> list = positions_of(text);
  TablePositions asked{base::Array<double>{static_cast<base::Index>(list.size()), 1}, {}, ""};
  std::copy(list.begin(), list.end(), asked.positions.data());
  asked.text = fmt::format("{} from {}", base::counted(list.size(), "position"), base::shortest(list.front()));
  return asked;
}

TablePositions grid_positions(const std::string& text) {
  const data::Placement placement = grid_of(text);
  const data::Draws draws(0, "table", "", 0);
  return {placement.positions(*placement.count(), draws), placement, fmt::format("a grid of {}", text)};
}

}  // namespace

base::Index TablePositions::train_length() const {
  const base::Index count = positions.extent(0);
  return placement.is_grid() ? count : static_cast<base::Index>(positions(count - 1, 0)) + 1;
}

TablePositions table_positions(const Text& positions, const Text& grid) {
  if (!grid.is_given()) return listed_positions(*positions);
  if (positions.is_given()) throw UsageError("--grid and --positions: one of them, not both");
  return grid_positions(*grid);
}

}  // namespace poslab::app
