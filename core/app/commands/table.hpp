// SPDX-License-Identifier: Apache-2.0
// `poslab table`: the positions that it is asked for, and a scheme's arrays as pictures.
#pragma once

#include <string>

#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/array.hpp"
#include "poslab/data/placement.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/run/scheme_arrays.hpp"

namespace poslab::app {

struct TablePositions {
  base::Array<double> positions;     ///< [N, A]
  data::Placement placement;         ///< a grid, or plain for the others
  std::string text;                  ///< "64 positions from 0", "a grid of 8x8"
  base::Index train_length() const;  ///< up to the last of them, or all cells of the grid
};

/// What --positions and --grid say, here and elsewhere. Throws UsageError for both, and for what is no list of
/// positions and no grid.
TablePositions table_positions(const Text& positions, const Text& grid);

struct TableOptions final : ContainedOptions {
  TableOptions();

  Text output{this,
              option("output", "FILE", "write the arrays: .h5, .safetensors, or the first as .npy", results_files,
                     nullptr, 'o'),
              accepted(output_name())};
  Text positions{this, option("positions", "A:B[:S]", "positions A .. B-1, every S-th"), usual<std::string>("0:64")};
  Text grid{this, option("grid", "RxC", "cells of a grid of R rows and C columns, or FxRxC")};
  Option<std::uint64_t> seed{this, option("seed", "N", "for untrained weights"), usual<std::uint64_t>(0)};
  VariantOptions variant{this, 64, 4};
  PluginsOption plugins{this};
};

/// The scheme and its model in one line; `positions` as in "64 positions from 0".
std::string table_heading(const run::SchemeArrays& arrays, const host::Scheme& scheme, const std::string& positions);
/// Each array as shades: of its last two dimensions, or on a grid what the query in the middle adds to each key.
std::string pictures_text(const run::SchemeArrays& arrays, const data::Placement& placement);
/// A matrix as shades, a character for an entry, with the range of all entries below. Of a matrix with more than
/// `max_rows` x `max_columns`, some rows and columns at equal distances: which is said below, too.
std::string picture(const std::string& title, base::View<const double> matrix, base::Index max_rows,
                    base::Index max_columns);

}  // namespace poslab::app
