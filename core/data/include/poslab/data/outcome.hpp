// SPDX-License-Identifier: Apache-2.0
// What became of a cell.
#pragma once

#include <cstdint>
#include <string>

#include "poslab/data/record.hpp"

namespace poslab::data {

enum class Status : std::uint8_t { ok = 0, failed = 1, crashed = 2, timeout = 3, skipped = 4 };
const char* to_text(Status status);

/// The note on an ok cell whose scheme has learnable weights that were drawn. Any other note says on what they were
/// trained, or from where they were given.
inline constexpr const char* untrained_note = "untrained weights";

/// What became of a cell. `record` has numbers only if `status` is ok.
struct Outcome {
  Status status = Status::ok;
  std::string message;  ///< one sentence: why it failed or was skipped; or a note on an ok cell ("untrained weights")
  Record record;
  double seconds = 0;  ///< a machine fact: goes to provenance only
};

}  // namespace poslab::data
