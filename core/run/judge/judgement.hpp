// SPDX-License-Identifier: Apache-2.0
// One expectation on its way through the cells of a run.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::run {

/// Sees every cell once, in order. Keeps what the expectation speaks of: of each cell the value that is furthest from
/// what is expected, or all of them where differences or means are asked for.
class Judgement {
 public:
  explicit Judgement(const data::Expectation& expectation);

  bool concerns(const data::Cell& cell) const;
  void look_at(const data::Cell& cell, const std::optional<data::Outcome>& outcome);
  data::ExpectationResult conclude() &&;

 private:
  using Points = std::vector<double>;  ///< of one cell, in the order of its curve
  /// The repeats of one variant at one point of the axes.
  struct Group {
    std::string partner;  ///< the key in others_
    std::map<int, Points> repeats;
  };

  bool is_subtracted(const data::Cell& cell) const;
  /// What cells of one group, or of partners, have in common: all but the repeat and, if asked for, what `minus`
  /// changes.
  std::string key_of(const data::Cell& cell, bool without_differing) const;
  void take(const data::Cell& cell, const data::Record& record);
  /// The group's values with those of their partners subtracted; false, with a message, where a partner is missing.
  bool subtract(Group& group);
  void judge(const Group& group);
  void compare(double measured, double error);

  data::ExpectationResult result_;
  std::vector<std::string> differing_;  ///< names whose values `minus` changes
  int measured_ = 0;                    ///< cells
  bool any_ = false;                    ///< whether anything was compared
  std::map<std::string, Group> groups_;
  std::map<std::string, std::map<int, Points>> others_;
};

}  // namespace poslab::run
