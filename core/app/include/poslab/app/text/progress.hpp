// SPDX-License-Identifier: Apache-2.0
// How far a run is, in words: pure functions of what is known, and of the seconds that have passed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace poslab::app {

/// How far a run is. `done` are those of this run and of earlier ones: kept, skipped and failed are among them.
struct RunProgress {
  std::size_t cells = 0, done = 0, kept = 0, skipped = 0, failed = 0;
  std::size_t running = 0;
  std::string longest;         ///< what has been running for the longest time
  double longest_seconds = 0;  ///< and for how long
  std::string says;            ///< what that says of itself: "step 800 of 2000, loss 1.83"; empty: nothing
  double tokens_a_second = 0;  ///< of that; 0: not known
  bool stopping = false;
};

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

/// "3/8 cells, 1 skipped, 1 FAILED; 1 min 5 s, about 2 min left; 2 running, uniqueness of rope length=8 for 40 s"; of a
/// cell that reports progress, ": step 800 of 2000, loss 1.83, 16200 tokens/s", too.
std::string progress_text(const RunProgress& progress, double seconds, std::optional<double> left);
/// The same for a line of a terminal: what is most of interest, "3/8 cells, 1 FAILED; 1 min 5 s, ~2 min left; uniqueness
/// of rope for 40 s (+1)".
std::string brief_progress_text(const RunProgress& progress, double seconds, std::optional<double> left);
/// Still shorter: of a cell that reports progress, only that.
std::string briefest_progress_text(const RunProgress& progress, double seconds, std::optional<double> left);
/// What share of its time a run has behind it, as a bar: "[====>   ]".
std::string progress_bar(double seconds, std::optional<double> left);
/// When, after a line so many seconds into the run, the next is due where lines stay: a few at the start, then a few an
/// hour.
double next_line_after(double seconds);
/// "12 s", "1 min 5 s", "2 min", "3 h 4 min": no more digits than a clock has.
std::string clock_text(double seconds);

}  // namespace poslab::app
