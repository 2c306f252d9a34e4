// SPDX-License-Identifier: Apache-2.0
// How far a run is, in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "terminal/styled_text.hpp"

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

/// "3/8 cells, 1 skipped, 1 FAILED; 1 min 5 s, about 2 min left; 2 running, uniqueness of rope length=8 for 40 s"; of a
/// cell that reports progress, ": step 800 of 2000, loss 1.83, 16200 tokens/s", too.
StyledText progress_text(const RunProgress& progress, double seconds, std::optional<double> left);
/// The same for a line of a terminal: what is most of interest, "3/8 cells, 1 FAILED; 1 min 5 s, ~2 min left;
/// uniqueness of rope for 40 s (+1)".
StyledText brief_progress_text(const RunProgress& progress, double seconds, std::optional<double> left);
/// Still shorter: of a cell that reports progress, only that.
StyledText briefest_progress_text(const RunProgress& progress, double seconds, std::optional<double> left);
/// What share of its time a run has behind it, as a bar: "[====>   ]".
std::string progress_bar(double seconds, std::optional<double> left);
/// When, after a line so many seconds into the run, the next is due where lines stay: a few at the start, then a few an
/// hour.
double next_line_after(double seconds);
/// "12 s", "1 min 5 s", "2 min", "3 h 4 min": no more digits than a clock has.
std::string clock_text(double seconds);
/// How many cells the journal has that are not asked for.
std::string unasked_text(std::size_t cells);

}  // namespace poslab::app
