// SPDX-License-Identifier: Apache-2.0
// A plan's cells and what becomes of them: the common language of spec (makes them), run (does them) and results (keeps them).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "poslab/base/placement.hpp"
#include "poslab/base/record.hpp"
#include "poslab/base/value.hpp"

namespace poslab::base {

/// A scheme with all its parameters fixed.
struct Variant {
  std::string scheme;  ///< id
  std::string label;   ///< `rope`, or `rope(style=interleaved)`: what the study sets or varies, in its order
  Values parameters;   ///< all of them, in declared order
  std::vector<std::string> varied;  ///< names of those that the study sets or varies anywhere
  bool operator==(const Variant&) const = default;
};

/// The unit of work, of failure and of resume.
struct Cell {
  std::string id;          ///< 32 hex digits: a hash of what it is, of nothing that a rebuild changes
  std::string experiment;  ///< id
  Variant variant;
  Values axes;  ///< `d_model`, `heads`, then the experiment's outer axes in declared order, then the inner ones (lists)
  std::uint64_t seed = 0;  ///< of the study
  int repeat = 0;
  std::string skip;     ///< not empty: planned as skipped, with this sentence
  Placement placement;  ///< where its tokens stand
};

/// The identity of a cell, from experiment id and version, scheme id and version, parameters, axes, seed and repeat, and
/// from where its tokens stand if that is not 0, 1, 2 ...
std::string identity(const Cell& cell, const std::string& experiment_version, const std::string& scheme_version);

enum class Status : std::uint8_t { ok = 0, failed = 1, crashed = 2, timeout = 3, skipped = 4 };
const char* to_text(Status status);

/// What became of a cell. `record` has numbers only if `status` is ok.
struct Outcome {
  Status status = Status::ok;
  std::string message;  ///< one sentence: why it failed or was skipped; or a note on an ok cell ("untrained weights")
  Record record;
  double seconds = 0;  ///< a machine fact: goes to provenance only
};

/// A declared value with tolerance and source, and what the run measured for it.
struct Expectation {
  std::string experiment, measure;
  Values where;  ///< axes, parameters, `scheme`, and coordinates of inner dimensions
  double value = 0, tolerance = 0;
  std::string source;
  int line = 0, column = 0;  ///< in the study; 0: nowhere
};

enum class Verdict : std::uint8_t { holds = 0, fails = 1, not_measured = 2 };
const char* to_text(Verdict verdict);

struct ExpectationResult {
  Expectation expectation;
  double measured = 0;  ///< of the matching cell that is furthest from the value; NaN if none was measured
  int matches = 0;      ///< cells that match
  Verdict verdict = Verdict::not_measured;
  std::string message;
};

/// A guess of what a cell needs, made before it runs.
struct Estimate {
  double bytes = 0;       ///< memory at its peak
  double operations = 0;  ///< floating-point operations
};

}  // namespace poslab::base
