// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace poslab::base {

/// Why something is not served, taken or loaded, where that need not be an error: a cell is skipped, the next file is
/// tried. What asks (`why_not_...`, `why_skip`) returns std::optional<Refusal>, nothing where all is well.
struct Refusal {
  // NOLINTBEGIN(google-explicit-constructor): `return "no such directory";`
  Refusal(const char* reason_) : Refusal(std::string(reason_)) {}
  Refusal(std::string reason_);  ///< throws Error if it is empty: such an answer was once "all is well"
  // NOLINTEND(google-explicit-constructor)
  bool operator==(const Refusal&) const = default;
  std::string reason;  ///< a sentence, or its part behind what whoever asked puts before it: a file, a place
};

/// Its reason; "" for none. For files and processes, whose form is a text.
std::string reason_of(const std::optional<Refusal>& refusal);
/// What `reason_of` was of.
std::optional<Refusal> refusal_of(std::string reason);
/// A refusal by code that is not ours, which may give no reason.
Refusal refusal_by_stranger(std::string reason);

}  // namespace poslab::base
