// SPDX-License-Identifier: Apache-2.0
// How far a run is, in words.
#include "text/progress.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"

using namespace poslab;

namespace {

app::RunProgress with(std::size_t done, std::size_t kept, std::size_t skipped, std::size_t failed) {
  app::RunProgress progress;
  progress.cells = 8, progress.done = done, progress.kept = kept, progress.skipped = skipped, progress.failed = failed;
  return progress;
}

}  // namespace

TEST_CASE("progress: what is done, how long it has taken, how long is left") {
  CHECK(app::progress_text(with(0, 0, 0, 0), 0, {}).plain() == "0/8 cells; 0 s");
  CHECK(app::progress_text(with(4, 0, 0, 0), 65, 119.5).plain() == "4/8 cells; 1 min 5 s, about 2 min left");
  CHECK(app::progress_text(with(6, 3, 1, 2), 2.9, 0.2).plain() ==
        "6/8 cells, 3 kept, 1 skipped, 2 FAILED; 2 s, about 1 s left");
  CHECK(app::progress_text(with(8, 0, 0, 0), 60, 0.0).plain() == "8/8 cells; 1 min");
}

TEST_CASE("progress: what runs, once it takes its time, and what is stopping") {
  app::RunProgress progress = with(4, 0, 0, 0);
  progress.running = 2, progress.longest = "uniqueness of rope length=8", progress.longest_seconds = 0.5;
  CHECK(app::progress_text(progress, 5, {}).plain() == "4/8 cells; 5 s; 2 running");
  progress.longest_seconds = 40;
  CHECK(app::progress_text(progress, 65, 12).plain() ==
        "4/8 cells; 1 min 5 s, about 15 s left; 2 running, uniqueness of rope length=8 for 40 s");
  progress.stopping = true;
  CHECK(app::progress_text(progress, 65, 12).plain() ==
        "4/8 cells; 1 min 5 s, stopping; 2 running, uniqueness of rope length=8 for 40 s");
}

TEST_CASE("progress: a line of a terminal has what is most of interest") {
  app::RunProgress progress = with(4, 2, 1, 1);
  progress.running = 2, progress.longest = "uniqueness of rope length=8", progress.longest_seconds = 40;
  CHECK(app::brief_progress_text(progress, 65, 12).plain() ==
        "4/8 cells, 1 FAILED; 1 min 5 s, ~15 s left; uniqueness of rope length=8 for 40 s (+1)");
  progress.stopping = true, progress.running = 0;
  CHECK(app::brief_progress_text(progress, 65, 12).plain() == "4/8 cells, 1 FAILED; 1 min 5 s, stopping");
}

TEST_CASE("progress: the bar is the share of the time, as the words say") {
  CHECK(app::progress_bar(0, {}) == "[>       ]");
  CHECK(app::progress_bar(30, {}) == "[>       ]");
  CHECK(app::progress_bar(30, 30.0) == "[====>   ]");
  CHECK(app::progress_bar(30, 0.0) == "[========]");
}

TEST_CASE("progress: where lines stay they become fewer, and never stop") {
  std::size_t lines = 0;
  for (double at = 0; at < 24 * 3600; at = app::next_line_after(at)) ++lines;
  CHECK(lines < 250);  // in a day
  CHECK(app::next_line_after(0) <= 5);
  CHECK(app::next_line_after(1e6) <= 1e6 + 600);
}

TEST_CASE("progress: what a long cell says of itself") {
  app::RunProgress progress = with(4, 0, 0, 0);
  progress.running = 2, progress.longest = "language-model of rope", progress.longest_seconds = 40;
  progress.says = "step 800 of 2000, loss 1.83";
  CHECK(
      app::progress_text(progress, 65, 12).plain() ==
      "4/8 cells; 1 min 5 s, about 15 s left; 2 running, language-model of rope for 40 s: step 800 of 2000, loss 1.83");
  progress.tokens_a_second = 16234;
  CHECK(app::brief_progress_text(progress, 65, 12).plain() ==
        "4/8 cells; 1 min 5 s, ~15 s left; language-model of rope: step 800 of 2000, loss 1.83, 16200 tokens/s (+1)");
  progress.tokens_a_second = 4.4;
  CHECK(app::briefest_progress_text(progress, 65, 12).plain() ==
        "4/8 cells; 1 min 5 s, ~15 s left; step 800 of 2000, loss 1.83, 4 tokens/s (+1)");
  progress.says = "";
  CHECK(app::briefest_progress_text(progress, 65, 12).plain() == app::brief_progress_text(progress, 65, 12).plain());
}
