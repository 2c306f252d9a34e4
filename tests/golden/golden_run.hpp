// SPDX-License-Identifier: Apache-2.0
// Our numbers for a golden case: the operation that a rule names, run through the host in one precision.
#pragma once

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "poslab/data/refusal.hpp"
#include "table.hpp"

namespace poslab::golden {

/// One case under one rule: the variant, its model, positions. Throws Unknown, or data::Refused for what is not
/// offered.
class GoldenRun {
 public:
  GoldenRun(const Facts& facts, const Json& rule, std::shared_ptr<const host::Plugin> plugin);

  /// Our numbers for the output dataset `name`, as the rule's `outputs` says, computed in S (float or double).
  template <class S>
  Numbers produce(const std::string& name) const;
  /// The largest |position| of the case: float32 angles lose digits with it.
  double largest_position() const { return largest_position_; }

 private:
  template <class S>
  class Output;

  const Facts& facts_;
  const Json& rule_;
  std::unique_ptr<host::Scheme> scheme_;
  base::Array<double> positions_;
  double largest_position_ = 0;
};

}  // namespace poslab::golden
