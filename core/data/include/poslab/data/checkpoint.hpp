// SPDX-License-Identifier: Apache-2.0
// How far a cell is that takes long, and what it goes on from if it is interrupted. Nothing here reaches a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace poslab::data {

/// How far a cell is.
struct Progress {
  std::uint64_t done = 0, total = 0;  ///< steps of the whole cell
  std::uint64_t tokens = 0;           ///< of training so far, for tokens a second; 0 where that means nothing
  std::string sentence;               ///< what is said of it now: "step 800 of 2000, loss 1.83"
};

/// What a cell has kept of itself. Its bytes are read by nobody but the experiment that wrote them.
struct Checkpoint {
  Progress progress;  ///< as of when it was kept
  std::string bytes;
};
/// Shared by those who send it and those who store it, since it may be large; null: there is none.
using CheckpointPointer = std::shared_ptr<const Checkpoint>;

/// The largest that is kept, in bytes: SQLite takes no more than a thousand million in one piece.
inline constexpr std::size_t max_checkpoint = 900'000'000;
/// The longest sentence that is kept, in bytes.
inline constexpr std::size_t max_progress_sentence = 200;

}  // namespace poslab::data
