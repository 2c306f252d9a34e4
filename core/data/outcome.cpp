// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/outcome.hpp"

namespace poslab::data {

const char* to_text(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::failed: return "failed";
    case Status::crashed: return "crashed";
    case Status::timeout: return "timeout";
    case Status::skipped: return "skipped";
  }
  return "?";
}

const char* to_text(WeightsState state) {
  switch (state) {
    case WeightsState::none: return "none";
    case WeightsState::untrained: return "untrained";
    case WeightsState::trained: return "trained";
    case WeightsState::given: return "given";
  }
  return "?";
}

WeightsState state_by_old_note(Status status, const std::string& note) {
  if (status != Status::ok || note.empty()) return WeightsState::none;
  if (note == untrained_note) return WeightsState::untrained;
  return note.starts_with("trained on ") ? WeightsState::trained : WeightsState::given;
}

}  // namespace poslab::data
