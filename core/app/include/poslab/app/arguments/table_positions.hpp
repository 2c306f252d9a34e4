// SPDX-License-Identifier: Apache-2.0
// The positions for which `poslab table` shows a scheme's arrays: --positions or --grid.
#pragma once

#include <string>

#include "poslab/app/arguments/options.hpp"
#include "poslab/data/placement.hpp"

namespace poslab::app {

struct TablePositions {
  base::Array<double> positions;     ///< [N, A]
  data::Placement placement;         ///< a grid, or plain for the others
  std::string text;                  ///< "64 positions from 0", "a grid of 8x8"
  base::Index train_length() const;  ///< up to the last of them, or all cells of the grid
};

void add_position_options(Options& options);
/// Throws UsageError for what is no list of positions and no grid.
TablePositions table_positions_of(const boost::program_options::variables_map& values);

}  // namespace poslab::app
