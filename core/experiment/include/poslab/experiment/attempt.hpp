// SPDX-License-Identifier: Apache-2.0
// How a long cell speaks with whoever performs it: it reports progress, and keeps checkpoints to go on from.
#pragma once

#include <string>

#include "poslab/data/checkpoint.hpp"

namespace poslab::experiments {

using data::Progress;

/// One performing of a cell, which may go on where an earlier one was interrupted. The cell must end with the same bits
/// whether it goes on from a checkpoint or starts over.
class Attempt {
 public:
  virtual ~Attempt() = default;
  /// What an earlier attempt at this cell kept last; empty: it begins.
  virtual const std::string& checkpoint() const = 0;
  /// Called after every step. Returns whether it is time to keep a checkpoint: only whoever performs the cell has a
  /// clock.
  virtual bool progress(const Progress& progress) = 0;
  /// Kept until the cell is done, or another one replaces it.
  virtual void keep(std::string checkpoint) = 0;
};

/// An attempt that nobody watches: it begins, and is never asked for a checkpoint.
Attempt& unwatched();

}  // namespace poslab::experiments
