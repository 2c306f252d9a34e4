// SPDX-License-Identifier: Apache-2.0
// What language-model says of made-up records.
#include "answers.hpp"
#include "catch.hpp"

using poslab::data::Record;

TEST_CASE(
    "language-model: the interval is that of the test, which looks at logarithms, one repeat says what is missing") {
  using poslab::data::Mark;
  const auto answer = [](const std::vector<double>& rises) {
    std::vector<Record> records;
    for (const double rise : rises) {
      Record record;
      record.coordinate("multiple", {1, 2, 3});
      record.curve("loss", {"multiple"}, {1, 1 + rise / 2, 1 + rise});
      records.push_back(record);
    }
    return cells::answer_to({"language-model", "none", {{"multiple", cells::list({1, 2, 3})}}}, records);
  };
  const poslab::data::Answer one = answer({-0.2});
  CHECK(one.mark == Mark::cannot_tell);
  REQUIRE(one.numbers.size() == 2);
  CHECK(one.numbers[1] == poslab::data::AnswerNumber::word("1 repeat"));
  CHECK_THAT(one.sentence, check::contains("one repeat has no error"));
  for (const std::vector<double>& rises :
       {std::vector<double>{-0.2, -0.1}, {-0.2, -0.21, -0.19}, {3, 5, 4}, {0.02, 0.05, 0.04}, {5, 0.01}}) {
    const poslab::data::Answer several = answer(rises);
    REQUIRE(several.numbers.size() == 1);
    const poslab::data::AnswerNumber& ratio = several.numbers[0];
    CAPTURE(ratio.low, ratio.value, ratio.high);
    CHECK((several.mark == Mark::yes) == (ratio.high < 1.03));
    CHECK((several.mark == Mark::no) == (ratio.low > 1.03));
  }
  CHECK(answer({-0.2, -0.21, -0.19}).mark == Mark::yes);
  CHECK(answer({-0.2, 0.1}).mark == Mark::cannot_tell);
}
