// SPDX-License-Identifier: Apache-2.0
// When a long cell's progress is told, and when a checkpoint is due.
#include "timed_attempt.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace poslab;
using namespace std::chrono_literals;
using workers::TimedAttempt;

namespace {

struct Watch {
  TimedAttempt attempt(std::string checkpoint, double seconds, std::size_t max_bytes = 1000) {
    return {std::move(checkpoint),
            {seconds, &interrupt, max_bytes},
            {[this](const data::Progress& progress) { told.push_back(progress.done); },
             [this](const data::Checkpoint& checkpoint_) { kept.push_back(checkpoint_); }},
            [this] { return now; }};
  }
  std::atomic<bool> interrupt{false};
  TimedAttempt::Clock::time_point now{};
  std::vector<std::uint64_t> told;
  std::vector<data::Checkpoint> kept;
};

}  // namespace

TEST_CASE("attempt: it goes on from what it was given") {
  Watch watch;
  CHECK(watch.attempt("bytes", 20).checkpoint() == "bytes");
  CHECK(watch.attempt("", 20).checkpoint().empty());
}

TEST_CASE("attempt: progress is told at once, then a few times a second, however many steps there are") {
  Watch watch;
  TimedAttempt attempt = watch.attempt("", 20);
  for (std::uint64_t step = 1; step <= 2000; ++step, watch.now += 1ms) attempt.progress({step, 2000, 0, ""});
  CHECK(watch.told == std::vector<std::uint64_t>{1, 301, 601, 901, 1201, 1501, 1801});
}

TEST_CASE("attempt: a checkpoint is due once its time is over, until one is kept") {
  Watch watch;
  TimedAttempt attempt = watch.attempt("", 20);
  CHECK(!attempt.progress({1, 9, 0, ""}));
  watch.now += 19999ms;
  CHECK(!attempt.progress({2, 9, 0, ""}));
  watch.now += 1ms;
  CHECK(attempt.progress({3, 9, 30, "step 3"}));
  CHECK(attempt.progress({4, 9, 40, "step 4"}));
  attempt.keep("state");
  CHECK(!attempt.progress({5, 9, 50, "step 5"}));
  REQUIRE(watch.kept.size() == 1);
  CHECK(watch.kept[0].bytes == "state");
  CHECK(watch.kept[0].progress.done == 4);
  CHECK(watch.kept[0].progress.sentence == "step 4");
  watch.now += 20s;
  CHECK(attempt.progress({6, 9, 60, ""}));
}

TEST_CASE("attempt: after every step, if that is wanted") {
  Watch watch;
  TimedAttempt attempt = watch.attempt("", 0);
  CHECK(attempt.progress({1, 9, 0, ""}));
  attempt.keep("1");
  CHECK(attempt.progress({2, 9, 0, ""}));
}

TEST_CASE("attempt: a checkpoint that nobody can store is let go, and no further one is asked for") {
  Watch watch;
  TimedAttempt attempt = watch.attempt("", 0, 10);
  CHECK(attempt.progress({1, 9, 0, ""}));
  attempt.keep(std::string(11, 'x'));
  CHECK(watch.kept.empty());
  CHECK(!attempt.progress({2, 9, 0, ""}));
}

TEST_CASE("attempt: one that is interrupted keeps one more checkpoint, however early, and ends") {
  Watch watch;
  TimedAttempt attempt = watch.attempt("", 20, 10);
  CHECK(!attempt.progress({1, 9, 0, ""}));
  watch.interrupt = true;
  CHECK(attempt.progress({2, 9, 0, ""}));
  CHECK_THROWS_AS(attempt.keep("state"), workers::Interrupted);
  REQUIRE(watch.kept.size() == 1);
  CHECK(watch.kept[0].progress.done == 2);
}

TEST_CASE("attempt: one that is interrupted ends, too, where nobody can store what it would go on from") {
  Watch watch;
  TimedAttempt attempt = watch.attempt("", 20, 10);
  watch.interrupt = true;
  CHECK(attempt.progress({1, 9, 0, ""}));
  CHECK_THROWS_AS(attempt.keep(std::string(11, 'x')), workers::Interrupted);
  CHECK(watch.kept.empty());
}
