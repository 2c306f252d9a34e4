// SPDX-License-Identifier: Apache-2.0
// Why a cell has no numbers: what a scheme or an experiment cannot serve, and numbers that are none.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::data {

/// A configuration that a scheme, or an experiment with it, cannot serve. A planned cell with it is skipped with
/// `what()`.
struct Refused : base::Error {
  explicit Refused(const std::string& reason);
  Refused(const std::string& subject, const std::string& reason);
  std::string subject;  ///< who refuses: `scheme "rope"`; empty where the reason says so itself
  std::string reason;
};

/// Which positions a scheme serves: lowest .. highest, in `whole` steps or not.
struct PositionLimits {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool whole = false;
  bool contain(double position) const;  ///< never a position that is not finite
};

/// A position that a scheme cannot serve.
struct PositionOutOfRange : base::Error {
  PositionOutOfRange(const std::string& scheme, double position, const PositionLimits& limits);
  /// In a plugin's own words, which do not say the position apart.
  PositionOutOfRange(const std::string& where, const std::string& reason);
  double position = std::numeric_limits<double>::quiet_NaN();
  PositionLimits limits;
};

/// A number that must be finite and is not: the cell fails with this sentence.
/// Entry `index` of an array.
base::Error not_finite(const std::string& array, std::vector<std::int64_t> index, double value);
/// A number that is no entry of an array; `where` says where it was met.
base::Error not_finite(const std::string& quantity, const std::string& where, double value);

}  // namespace poslab::data
