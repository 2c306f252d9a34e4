// SPDX-License-Identifier: Apache-2.0
// Cells, outcomes, declarations and expectations as records, for a journal or another process: with a
// version and a checksum, so that what was cut short or changed is noticed and never misread.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "poslab/data/archive.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::data {

/// The packed form of an Outcome, Cell, SchemeInfo, ExperimentInfo, Expectation, Values, GivenWeights or GivenNetwork.
template <class T>
std::string pack(const T& item);
/// Throws NotPacked, and nothing else; `bytes` may come from anybody. What it takes, `pack` gives back byte for byte.
template <class T>
T unpack(std::string_view bytes);

/// An outcome with its packed form: it is packed once, where the cell was performed, and the journal keeps these bytes.
class PackedOutcome {
 public:
  PackedOutcome() : PackedOutcome(Outcome{}) {}
  explicit PackedOutcome(Outcome outcome) : outcome_(std::move(outcome)), bytes_(pack(outcome_)) {}
  /// Takes bytes that came from another process. Throws NotPacked.
  explicit PackedOutcome(std::string bytes) : outcome_(unpack<Outcome>(bytes)), bytes_(std::move(bytes)) {}

  const Outcome& outcome() const { return outcome_; }
  const std::string& bytes() const { return bytes_; }  ///< as `pack` writes them

 private:
  Outcome outcome_;
  std::string bytes_;
};

}  // namespace poslab::data
