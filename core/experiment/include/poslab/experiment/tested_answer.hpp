// SPDX-License-Identifier: Apache-2.0
// Answers whose marks depend on how often they may be wrong by chance: a column corrects that for all of its rows.
#pragma once

#include <functional>
#include <optional>

#include "poslab/data/answer.hpp"
#include "poslab/experiment/point.hpp"

namespace poslab::experiments {

struct TestedAnswer {
  double chance = 1;  ///< the least error rate at which it has a mark; 0 if nothing that was drawn enters
  std::function<data::Answer(double error_rate)> at;
};

/// A second base of the struct of an experiment whose `answer` is such a one.
class AnswersByTest {
 public:
  AnswersByTest() = default;
  AnswersByTest(const AnswersByTest&) = default;
  AnswersByTest& operator=(const AnswersByTest&) = default;
  virtual ~AnswersByTest() = default;
  /// Nothing where there is nothing to test; then `answer` says why.
  virtual std::optional<TestedAnswer> tested(const Point&) const = 0;
};

}  // namespace poslab::experiments
