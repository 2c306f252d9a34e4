// SPDX-License-Identifier: Apache-2.0
// How far a run is and how long it will take, from what is known and the seconds that have passed: no clock is read
// here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace poslab::run {

/// How long it will take, guessed from the share of the work that is done. Work is an estimate, so each guess is off;
/// what is shown runs down like a clock, and moves towards a new guess by and by. Where it has run down and nothing is
/// said of the work, it grows with what it is overdue.
class TimeLeft {
 public:
  /// After `seconds`, with `share` of the work done, which only grows. Nothing as long as nothing is known.
  std::optional<double> at(double seconds, double share);

 private:
  double run_down(double seconds) const;

  double share_ = 0, left_ = 0,
         since_ = 0;  // as of the last time that the share grew, `since_` seconds after the start
};

/// What share of a run's work is done, by estimated operations. What a cell had done when it first spoke, it did in an
/// earlier run, and is no work of this one.
class WorkDone {
 public:
  explicit WorkDone(double operations) : all_(operations) {}
  /// `share` of a cell of so many operations is done. Cells by their identity.
  void progressed(const std::string& cell, double share, double operations);
  void finished(const std::string& cell, double operations);
  double share() const;  ///< from 0 to 1; 0 as long as nothing is known

 private:
  struct Part {
    double operations = 0, begun = 0, done = 0;  // the last two are shares
  };
  double all_, finished_ = 0;
  std::map<std::string, Part> parts_;
};

/// Tokens a second of a cell, over the last seconds.
class TokenRate {
 public:
  /// After `seconds`, it has seen so many.
  void at(double seconds, std::uint64_t tokens);
  double value() const { return value_; }  ///< 0: not known

 private:
  double value_ = 0, since_ = -1;  // seconds; below 0: nothing is known
  std::uint64_t tokens_ = 0;       // at that time
  bool is_settled_ = false;
};

}  // namespace poslab::run
