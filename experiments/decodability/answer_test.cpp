// SPDX-License-Identifier: Apache-2.0
// What decodability says of made-up records, and of schemes whose answer is known.
#include "answers.hpp"
#include "catch.hpp"

namespace {

using poslab::data::Answer;
using poslab::data::Mark;
using poslab::data::Record;

const cells::Cell cell{"decodability", "sinusoidal"};

Record record_of(double error, double chance) {
  Record record;
  record.scalar("position_error", error);
  record.scalar("position_error_chance", chance);
  record.scalar("position_residual", 2.5e-9);
  record.scalar("order_error", 0.06);
  record.scalar("order_error_chance", 0.5);
  return record;
}

}  // namespace

TEST_CASE("decodable: every position in every repeat, nearer than chance, not surely, or no nearer") {
  const Answer read = cells::answer_to(cell, {record_of(0, 128), record_of(0, 127)});
  CHECK(read.mark == Mark::yes);
  CHECK(read.number == "0");
  CHECK_THAT(read.sentence, check::contains("every position") && check::contains("2.5e-09 off") &&
                                check::contains("in 6 % of pairs (chance 50 %)") && check::contains("2 repeats"));
  const Answer near = cells::answer_to(cell, {record_of(45, 128), record_of(47, 127), record_of(0, 128)});
  CHECK(near.mark == Mark::partly);
  CHECK(cells::answer_to(cell, {record_of(45, 128)}).mark == Mark::cannot_tell);  // one repeat has no error
  CHECK(cells::answer_to(cell, {record_of(120, 128), record_of(134, 127)}).mark == Mark::cannot_tell);
  const Answer far = cells::answer_to(cell, {record_of(180, 128), record_of(176, 127)});
  CHECK(far.mark == Mark::no);
  CHECK(far.number == "178 ± 2");
  CHECK_THAT(far.sentence, check::contains("178 ± 2 positions off") && check::contains("no nearer than"));
  CHECK(cells::answer_to(cell, {record_of(128, 128)}).mark == Mark::no);
}

TEST_CASE("decodable: the sinusoid and the index, not random rows, and nothing of nothing") {
  CHECK(cells::answer_of(cell).mark == Mark::yes);
  CHECK(cells::answer_of({"decodability", "index"}).mark == Mark::yes);
  CHECK(cells::answer_of({"decodability", "learned"}).mark == Mark::no);
  CHECK(cells::answer_of({"decodability", "none"}).mark == Mark::no);
}
