// SPDX-License-Identifier: Apache-2.0
// The messages between host and worker: kinds and bodies of process::Message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "poslab/data/cell.hpp"
#include "poslab/data/checkpoint.hpp"

namespace poslab::workers::message {

// To a worker.
inline constexpr char open_library = 'o';     // path            -> offers, refuses or lacks_process
inline constexpr char register_scheme = 'k';  // packed scheme
inline constexpr char add_contents = 'g';     // contents that cells name by their hash
inline constexpr char ask_forecast = 'f';     // numbered cell   -> forecast
inline constexpr char perform_cell =
    'p';  // task -> started, any number of progressed and kept, then done, lacks_memory, lost_process or interrupted
inline constexpr char interrupt = 'i';  // nothing: cells that keep checkpoints keep one and end
// From a worker.
inline constexpr char ready = 'r';         // nothing: all its threads have started
inline constexpr char offers = 'O';        // packed scheme
inline constexpr char refuses = 'R';       // the reason
inline constexpr char forecasts = 'F';     // numbered forecast
inline constexpr char started = 's';       // number
inline constexpr char progressed = 'g';    // numbered progress: how far a long cell is
inline constexpr char kept = 'c';          // numbered checkpoint: what it would go on from
inline constexpr char done = 'd';          // numbered outcome
inline constexpr char lacks_memory = 'm';  // numbered outcome: it failed, but alone it might have enough
inline constexpr char lost_process =
    'l';                                  // numbered outcome: it failed, since its Python process was killed by another
inline constexpr char interrupted = 'I';  // number: it has kept what it would go on from, and ended
inline constexpr char lacks_process = 'P';  // the reason: the system lets no process start

/// A number, as of a cell, followed by `rest`.
std::string numbered(std::uint64_t number, std::string_view rest = "");
/// Takes the number off the front. Throws data::NotPacked.
std::uint64_t take_number(std::string_view& body);

/// A cell to perform, with what it goes on from; null: it begins.
std::string pack_task(std::uint64_t number, const data::Cell& cell, const data::CheckpointPointer& checkpoint);
struct UnpackedTask {
  std::uint64_t number = 0;
  data::Cell cell;
  std::string checkpoint;  ///< its bytes; empty: the cell begins
};
UnpackedTask unpack_task(std::string_view body);  ///< throws data::NotPacked

std::string pack_progress(std::uint64_t number, const data::Progress& progress);
std::string pack_checkpoint(std::uint64_t number, const data::Checkpoint& checkpoint);
/// Unpack what follows the number. Throw data::NotPacked, also where a sentence or a checkpoint is larger than any is.
data::Progress unpack_progress(std::string_view rest);
data::Checkpoint unpack_checkpoint(std::string_view rest);
/// The hash of contents, and the contents.
std::string pack_contents(const std::string& hash, std::string_view contents);
std::pair<std::string, std::string> unpack_contents(std::string_view body);  ///< throws data::NotPacked

std::string pack_forecast(const data::Forecast& forecast);
data::Forecast unpack_forecast(std::string_view body);  ///< throws data::NotPacked

}  // namespace poslab::workers::message
