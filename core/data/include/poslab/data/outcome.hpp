// SPDX-License-Identifier: Apache-2.0
// What became of a cell.
#pragma once

#include <cstdint>
#include <string>

#include "poslab/data/record.hpp"

namespace poslab::data {

enum class Status : std::uint8_t { ok = 0, failed = 1, crashed = 2, timeout = 3, skipped = 4 };
const char* to_text(Status status);
/// Whether a cell that should have a record has none.
inline bool is_failure(Status status) { return status != Status::ok && status != Status::skipped; }

/// What an ok cell worked with, of weights that training would change. The values are those on disk.
enum class WeightsState : std::uint8_t {
  none = 0,       ///< there are none
  untrained = 1,  ///< drawn
  trained = 2,    ///< trained by the cell itself
  given = 3       ///< from a file; those that it lacks are drawn
};
const char* to_text(WeightsState state);

/// The note on an ok cell of untrained weights.
inline constexpr const char* untrained_note = "untrained weights";
/// The state in an outcome that was stored before it had one: the note said it, and is read only there.
WeightsState state_by_old_note(Status status, const std::string& note);

/// What became of a cell. `record` has numbers only if `status` is ok.
struct Outcome {
  Status status = Status::ok;
  std::string message;  ///< one sentence: why it failed or was skipped; or a note on an ok cell's weights
  Record record = {};
  double seconds = 0;  ///< see for_each_fact
  WeightsState weights = WeightsState::none;
  double peak_memory = 0;  ///< see for_each_fact
};

/// What the attempt says of itself that performed a cell: facts of a machine, which go to provenance only. This is
/// their one list: `visit(name, unit, sentence, member)` for each. Packed outcomes, results files and what compares
/// outcomes follow it. A fact that is 0 is not known.
template <class AnyOutcome, class Visit>
void for_each_fact(AnyOutcome& outcome, const Visit& visit) {
  visit("seconds", "s", "time that the cell took", outcome.seconds);
  visit("peak_memory", "byte", "most memory that the process of the cell had held when the cell ended",
        outcome.peak_memory);
}

}  // namespace poslab::data
