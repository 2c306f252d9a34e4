// SPDX-License-Identifier: Apache-2.0
// The positions of which `poslab table` shows what a scheme makes: --positions or --grid.
#pragma once

#include <string>

#include "poslab/app/options.hpp"
#include "poslab/base/placement.hpp"

namespace poslab::app {

struct TablePositions {
  base::Array<double> positions;  ///< [N, A]
  base::Placement placement;      ///< a grid, or plain for the others
  std::string text;               ///< "64 positions from 0", "a grid of 8x8"
};

void add_position_options(Options& options);
/// Throws UsageError where they make no sense.
TablePositions table_positions_of(const boost::program_options::variables_map& values);

}  // namespace poslab::app
