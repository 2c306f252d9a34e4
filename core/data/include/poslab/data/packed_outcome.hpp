// SPDX-License-Identifier: Apache-2.0
// An outcome with its packed form: it is packed once, where the cell was performed, and the journal keeps these bytes.
#pragma once

#include <string>
#include <utility>

#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::data {

class PackedOutcome {
 public:
  PackedOutcome() : PackedOutcome(Outcome{}) {}
  explicit PackedOutcome(Outcome outcome) : outcome_(std::move(outcome)), bytes_(pack(outcome_)) {}
  /// Takes bytes that came from another process. Throws NotPacked, as unpack_outcome does.
  explicit PackedOutcome(std::string bytes) : outcome_(unpack_outcome(bytes)), bytes_(std::move(bytes)) {}

  const Outcome& outcome() const { return outcome_; }
  const std::string& bytes() const { return bytes_; }  ///< as `pack` writes them

 private:
  Outcome outcome_;
  std::string bytes_;
};

}  // namespace poslab::data
