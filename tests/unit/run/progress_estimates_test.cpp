// SPDX-License-Identifier: Apache-2.0
// How far a run is and how long it will take.
#include "poslab/run/progress_estimates.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"

using namespace poslab;

TEST_CASE("progress: the time left is unknown at first, then runs down like a clock") {
  run::TimeLeft left;
  CHECK(!left.at(0.5, 0.5));  // too early
  CHECK(!left.at(20, 0));
  CHECK(left.at(20, 0.25) == 60.0);
  CHECK(left.at(30, 0.25) == 50.0);  // nothing new
  CHECK(left.at(80, 0.25) == 0.0);
  CHECK(left.at(200, 0.25) == 120.0);       // as long again as it is overdue
  CHECK(left.at(2000, 0.999).value() < 3);  // but no longer than the share of the work says
}

TEST_CASE("progress: a run whose work was guessed far too small is not about to end all the time") {
  run::TimeLeft left;
  left.at(10, 0.9);  // nine cells of ten took a second each
  double shown = 0;
  for (int second = 15; second <= 1000; second += 5)  // the tenth takes a thousand
    shown = left.at(second, 0.9 + 0.1 * (second - 10) / 1000.0).value();
  CHECK(shown < 100);  // of the 10 that are left
  run::TimeLeft other;
  other.at(10, 0.9);
  for (int second = 15; second <= 300; second += 5) {
    const double now = other.at(second, 0.9 + 0.01 * (second - 10) / 1000.0).value();
    if (second > 100) CHECK(now > 0.4 * second / 9);  // by what is said of the work: a ninth
  }
}

TEST_CASE("progress: the time left does not jump, whatever the estimates were worth") {
  run::TimeLeft left;
  double before = 0;
  bool is_first = true;
  // 1000 cells of a tenth of a second each, by an estimate that swings: the share goes in steps of very different size.
  for (int cell = 1; cell <= 1000; ++cell) {
    const double truth = cell / 1000.0, share = truth + 0.1 * truth * (1 - truth) * std::sin(cell * 0.05);
    const auto shown = left.at(0.1 * cell, share);
    if (!shown) continue;
    if (!is_first) {
      CHECK(*shown <= 1.5 * before + 1);
      CHECK(std::abs(*shown - before) < 4);
    }
    if (cell > 100) CHECK(std::abs(*shown - (100 - 0.1 * cell)) < 15);
    before = *shown, is_first = false;
  }
  CHECK(before < 1);
}

TEST_CASE("progress: one cell that takes far longer than was guessed makes it longer by no more than time allows") {
  run::TimeLeft left;
  left.at(10, 0.5);
  CHECK(left.at(11, 0.505).value() < 1.5 * 9 + 1 + 2);
  CHECK(left.at(15, 0.51).value() < 15 * 0.49 / 0.51 + 1e-9);
}

TEST_CASE("progress: tokens a second are those of the last seconds, and of this attempt") {
  run::TokenRate rate;
  rate.at(100, 51200);  // of an earlier run
  CHECK(rate.value() == 0);
  rate.at(100.5, 52200);
  CHECK(rate.value() == 0);  // too early
  rate.at(102, 55200);
  CHECK(rate.value() == 2000);
  rate.at(105, 71200);
  CHECK(rate.value() == 4000);
  rate.at(106, 71300);
  CHECK(rate.value() == 4000);
  rate.at(110, 76200);
  CHECK(rate.value() == 1000);
  rate.at(111, 10);  // begun again
  CHECK(rate.value() == 0);
  rate.at(113, 210);
  CHECK(rate.value() == 100);
}

TEST_CASE(
    "progress: the share of the work counts what running cells have done, but not what they did in an earlier run") {
  run::WorkDone work(100);
  CHECK(work.share() == 0);
  work.progressed("a", 0.5, 40);  // goes on from a checkpoint: 80 are left in all
  CHECK(work.share() == 0);
  work.progressed("a", 0.75, 40);
  CHECK(work.share() == 10.0 / 80);
  work.progressed("a", 0.25, 40);
  CHECK(work.share() == 0);
  work.finished("a", 40);
  CHECK(work.share() == 20.0 / 80);
  work.progressed("b", 0, 50);
  work.progressed("b", 2, 50);
  CHECK(work.share() == 70.0 / 80);
  work.finished("b", 50);
  work.finished("c", 10);
  CHECK(work.share() == 1);
  CHECK(run::WorkDone(0).share() == 0);
}
