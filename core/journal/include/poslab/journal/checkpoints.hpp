// SPDX-License-Identifier: Apache-2.0
// What a journal says of the checkpoints of its long cells. They lie in a file of their own beside it, so that a large
// one delays the outcome of no other cell.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/checkpoint.hpp"

namespace poslab::journal {

/// A hash of all that a cell's bits depend on while it is performed: the scheme's code, the versions of experiment and
/// scheme, this very program, and the type of the processor. A cell goes on from a checkpoint of the same maker only;
/// a stored outcome needs less, since nothing is computed on from it.
std::string maker_of(const data::Cell& cell, const data::Catalogue& catalogue);

struct KnownCheckpoint {
  std::string experiment, variant, maker;
  data::Progress progress;
  std::int64_t kept = 0;  ///< seconds since 1970
};

/// By identity of the cell, without the lock, while they are written, too. Nothing where they cannot be read: then
/// those cells start over.
std::unordered_map<std::string, KnownCheckpoint> checkpoints_of(const std::filesystem::path& journal);

}  // namespace poslab::journal
