// SPDX-License-Identifier: Apache-2.0
// What decodability says of made-up records, and of schemes whose answer is known.
#include "answers.hpp"
#include "catch.hpp"

namespace {

using poslab::data::Answer;
using poslab::data::Mark;
using poslab::data::Record;

const cells::Cell cell{"decodability", "sinusoidal"};

Record record_of(double error, double chance, double rank = 8) {
  Record record;
  record.scalar("position_error", error);
  record.scalar("position_error_chance", chance);
  record.scalar("position_residual", 2.5e-9);
  record.scalar("rank", rank);
  record.scalar("order_error", 0.06);
  record.scalar("order_error_chance", 0.5);
  return record;
}

}  // namespace

TEST_CASE("decodable: every position in every repeat, nearer than chance, not surely, or no nearer") {
  const Answer read = cells::answer_to(cell, {record_of(0, 128), record_of(0, 127)});
  CHECK(read.mark == Mark::yes);
  CHECK(numbers_text(read) == "0");
  CHECK_THAT(read.sentence, check::contains("every position") && check::contains("2.5e-09 off") &&
                                check::contains("in 6 % of pairs (chance 50 %)") && check::contains("2 repeats"));
  const Answer near = cells::answer_to(cell, {record_of(45, 128), record_of(47, 127), record_of(0, 128)});
  CHECK(near.mark == Mark::partly);
  CHECK(cells::answer_to(cell, {record_of(45, 128)}).mark == Mark::cannot_tell);  // one repeat has no error
  CHECK(cells::answer_to(cell, {record_of(120, 128), record_of(134, 127)}).mark == Mark::cannot_tell);
  const Answer far = cells::answer_to(cell, {record_of(180, 128), record_of(178, 127)});
  CHECK(far.mark == Mark::no);
  CHECK(numbers_text(far) == "179.0 ± 1.0");
  CHECK_THAT(far.sentence, check::contains("179.0 ± 1.0 positions off") && check::contains("no nearer than"));
}

TEST_CASE("decodable: no nearer than chance is said where the error of repeats leaves no other way") {
  // Five rows, of which a learned table read 2.4 and 1.2 off, where chance is 1.2: more repeats may say anything.
  const Answer few = cells::answer_to(cell, {record_of(2.4, 1.2), record_of(1.2, 1.2)});
  CHECK(few.mark == Mark::cannot_tell);
  CHECK_THAT(few.sentence,
             check::contains("1.8 ± 0.6 positions off") && check::contains("not surely nearer or farther"));
  CHECK(cells::answer_to(cell, {record_of(180, 128)}).mark == Mark::cannot_tell);  // one repeat has no error
  CHECK(cells::answer_to(cell, {record_of(128, 128)}).mark == Mark::cannot_tell);
  cells::Cell five = cell;
  five.axes.set("length", cells::whole(5));
  CHECK(cells::answer_to(five, {record_of(1, 1.2), record_of(1, 1.2)}).mark == Mark::cannot_tell);
  CHECK(cells::answer_to(cell, {record_of(1, 1.2), record_of(1, 1.2)}).mark == Mark::partly);  // of 512 rows
  // As near as chance to 2 % of it, which is 2.56 here, is no nearer; 4.303 errors of three repeats reach 1.2 or 3.
  const Answer at_chance = cells::answer_to(cell, {record_of(128, 128), record_of(128.5, 128), record_of(127.5, 128)});
  CHECK(at_chance.mark == Mark::no);
  CHECK_THAT(at_chance.sentence, check::contains("not 2 % nearer than"));
  CHECK(cells::answer_to(cell, {record_of(128, 128), record_of(129.2, 128), record_of(126.8, 128)}).mark ==
        Mark::cannot_tell);
  // Codes that do not differ tell nothing, whatever the draw.
  CHECK(cells::answer_to(cell, {record_of(128, 128, 0)}).mark == Mark::no);
  cells::Cell three = cell;  // of which one fold is fitted to a single row, which has rank 0 whatever its code
  three.axes.set("length", cells::whole(3));
  three.axes.set("folds", cells::whole(2));
  CHECK(cells::answer_to(three, {record_of(1, 1, 0)}).mark == Mark::cannot_tell);
}

TEST_CASE("decodable: the sinusoid and the index, not random rows, and nothing of nothing") {
  CHECK(cells::answer_of(cell).mark == Mark::yes);
  CHECK(cells::answer_of({"decodability", "index"}).mark == Mark::yes);
  CHECK(cells::answer_of({"decodability", "learned"}, 3).mark == Mark::no);
  CHECK(cells::answer_of({"decodability", "none"}).mark == Mark::no);
}

TEST_CASE("decodable: one draw of weights says nothing of others, and one position has no answer") {
  CHECK(cells::answer_to(cell, {record_of(0, 128)}, true).mark == Mark::cannot_tell);
  CHECK(cells::answer_to(cell, {record_of(128, 128, 0)}, true).mark == Mark::cannot_tell);
  CHECK_THAT(cells::answer_to(cell, {record_of(0, 128)}, true).sentence,
             check::contains("one repeat of drawn weights"));
  CHECK(cells::answer_to(cell, {record_of(0, 128), record_of(0, 127)}, true).mark == Mark::yes);
  cells::Cell one = cell;
  one.axes.set("length", cells::whole(1));
  CHECK(cells::answer_to(one, {record_of(0, 0)}).mark == Mark::none);
  CHECK(cells::answer_to(one, {record_of(0, 0)}).numbers.empty());
}
