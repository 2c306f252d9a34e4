// SPDX-License-Identifier: Apache-2.0
// What relative-shift says of made-up records.
#include <limits>

#include "answers.hpp"
#include "catch.hpp"

namespace {

using poslab::data::Answer;
using poslab::data::Mark;
using poslab::data::Record;
using poslab::data::Value;

constexpr double unserved = std::numeric_limits<double>::quiet_NaN();

// Shifts 1 and 100, length 256: 1e-13 + 4e-16 (255 + 100) = 2.4e-13 is rounding at the second.
const cells::Cell cell{"relative-shift", "rope", {{"length", Value(std::int64_t{256})}}};

struct Numbers {
  std::vector<double> content, rms, position;
  double attended = 0;  // the spread within the sequence
  double future = 0;
};

Record record_of(const Numbers& numbers) {
  Record record;
  record.coordinate("shift", {1, 100});
  record.curve("content_error", {"shift"}, numbers.content);
  record.curve("content_error_rms", {"shift"}, numbers.rms);
  record.curve("position_error", {"shift"}, numbers.position);
  record.scalar("toeplitz_residual_attended", numbers.attended);
  record.scalar("future_error", numbers.future);
  return record;
}

Answer said(const Numbers& numbers) { return cells::answer_to(cell, {record_of(numbers)}); }

}  // namespace

TEST_CASE("relative: rounding is a yes, in the scalar type of the cell") {
  const Answer answer = said({{1e-13, 2e-13}, {1e-14, 1e-14}, {1e-13, 2e-13}, 1e-13});
  CHECK(answer.mark == Mark::yes);
  CHECK(answer.numbers.empty());
  CHECK_THAT(answer.sentence, check::contains("move by 1 and 100") && check::contains("by more than 2e-13") &&
                                  check::contains("(N = 256, float64, 1 repeat)"));
  cells::Cell in_float = cell;
  const Numbers numbers{{1e-6, 9e-6}, {1e-7, 1e-7}, {1e-6, 2e-6}, 1e-6};
  CHECK(cells::answer_to(cell, {record_of(numbers)}).mark == Mark::no);
  in_float.axes.set("dtype", Value("float32"));
  CHECK(cells::answer_to(in_float, {record_of(numbers)}).mark == Mark::yes);
}

TEST_CASE("relative: the position part alone is partly, with what the content part does, mean and error of repeats") {
  const Answer answer = cells::answer_to(
      cell, {record_of({{0.1, 4}, {0.1, 1.0}, {0, 0}, 0}), record_of({{0.1, 5}, {0.1, 1.2}, {0, 0}, 0})});
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "1.10 ± 0.10");
  CHECK(answer.sentence ==
        "the position score of a pair depends on the offset alone, logits of contents do not: when all positions move "
        "by 100, logits change by 1.10 ± 0.10 times what the scheme adds to them (rms over the keys of a query; 1.41: "
        "unrelated to before) (N = 256, float64, 2 repeats)");
}

TEST_CASE("relative: neither part is a no, at the shift where the change is largest") {
  const Answer answer = said({{4, 3}, {1.4, 1.2}, {0.5, 0.5}, 0.7});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "1.4");
  CHECK_THAT(answer.sentence, check::contains("move by 1, logits change by 1.4 times"));
  // The position part is no function of the offset at one of the shifts only.
  CHECK(said({{4, 3}, {1.4, 1.2}, {0, 0.5}, 0}).mark == Mark::no);
}

TEST_CASE("relative: logits that stay while the scores of an offset differ are partly") {
  const Answer answer = said({{0, 0}, {0, 0}, {0, 0}, 0.15});
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "varies 0.15");
  CHECK_THAT(answer.sentence, check::contains("logits of the first tokens stay when all positions move") &&
                                  check::contains("varies by 0.15 of its rms within the sequence"));
  const std::string legend = poslab::experiments::find_experiment("relative-shift").column.legend;
  CHECK_THAT(legend, check::contains("only position scores do, or those of one offset vary"));
}

TEST_CASE("relative: a little more than rounding is told by how little it is, what may be more cannot be told") {
  for (const double error : {2.6e-13, 1e-12, 1e-11}) {  // whether it is ten times its tolerance or not
    CHECK(said({{0, error}, {0, error}, {0, 0}, 0}).mark == Mark::partly);
    CHECK(said({{0, 0}, {0, 0}, {0, error}, 0}).mark == Mark::partly);
  }
  CHECK(numbers_text(said({{0, 2.6e-13}, {0, 0}, {0, 0}, 0})) == "to 3e-13");
  cells::Cell in_float = cell;
  in_float.axes.set("dtype", Value("float32"));
  const Answer unclear = cells::answer_to(in_float, {record_of({{0, 1e-4}, {0, 1e-4}, {0, 0}, 0})});
  CHECK(unclear.mark == Mark::cannot_tell);
  CHECK(numbers_text(unclear) == "to 0.0001");
  const Answer unmeasured = said({{unserved, unserved}, {unserved, unserved}, {unserved, unserved}, 0});
  CHECK(unmeasured.mark == Mark::cannot_tell);
  CHECK_THAT(unmeasured.sentence, check::starts_with("no shift leads to positions that the scheme serves"));
  const Answer no = said({{unserved, unserved}, {unserved, unserved}, {unserved, unserved}, 1});
  CHECK(no.mark == Mark::no);
  CHECK(numbers_text(no) == "varies 1");
}

TEST_CASE("relative: what float32 cannot tell from rounding is told by how near it is, and is no cross") {
  const Answer answer = said({{5.7e-12, 1e-12}, {1, 1}, {1e-12, 2e-12}, 3e-12});
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "to 6e-12");
  CHECK(numbers_text(said({{0, 0}, {0, 0}, {0, 0}, 1e-8})) == "to 1e-08");
  CHECK(said({{1e-7, 0}, {0.5, 0}, {1e-7, 0}, 0}).mark == Mark::no);
  CHECK(numbers_text(said({{1e-7, 0}, {0.5, 0}, {1e-7, 0}, 0})) == "0.5");
}

TEST_CASE("relative: what a token that comes later changes is no relative scheme, whatever else stays") {
  const Answer answer = said({{0, 0}, {0, 0}, {0, 0}, 0, 0.3});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "looks ahead");
  CHECK_THAT(answer.sentence, check::contains("by up to 0.3 of the rms logit"));
  CHECK(said({{0, 0}, {0, 0}, {0, 0}, 0, unserved}).mark == Mark::yes);
}

TEST_CASE("relative: of one token nothing is said") {
  cells::Cell one = cell;
  one.axes.set("length", Value(std::int64_t{1}));
  CHECK(cells::answer_to(one, {record_of({{4, 3}, {0, 0}, {0.5, 0.5}, 0.7})}).says_nothing());
  one.scheme = "learned";
  CHECK(cells::answer_of(one).says_nothing());
}

TEST_CASE("relative: shifts that are not served are named") {
  CHECK_THAT(said({{0, unserved}, {0, unserved}, {unserved, unserved}, 0}).sentence,
             check::starts_with("when all positions move by 1, no logit") &&
                 check::contains("positions moved by 100 are not served"));
}
