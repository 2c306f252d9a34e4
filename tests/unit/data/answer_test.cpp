// SPDX-License-Identifier: Apache-2.0
// How the numbers of an answer are written, and what the table of answers says.
#include "poslab/data/answer_table.hpp"

#include "catch.hpp"

using namespace poslab::data;

TEST_CASE("a number of an answer: what it is, its relation, value and error, its unit") {
  CHECK(to_text(AnswerNumber::of({3, 1.05, 0.04}, "x")) == "x 1.05 ± 0.04");
  CHECK(to_text(AnswerNumber::of({3, 1.05, 0.04}, "x"), ErrorStyle::last_digit) == "x 1.05(4)");
  CHECK(to_text(AnswerNumber::of({3, 241.4, 1.7}).with_unit("bf16")) == "241.4 ± 1.7 bf16");
  CHECK(to_text(AnswerNumber::exact(255).with_relation(Relation::above)) == "> 255");
  CHECK(to_text(AnswerNumber::exact(6e-12, 1, "to")) == "to 6e-12");
  CHECK(to_text(AnswerNumber::exact(4096)) == "4096");
  CHECK(to_text(AnswerNumber::word("refused")) == "refused");
  CHECK(to_text(AnswerNumber::exact(1.031, 3, "x").with_interval(0.953, 1.115)) == "x 1.03 [0.95, 1.11]");
}

TEST_CASE("of one repeat no error is known, and none is shown") {
  CHECK(to_text(AnswerNumber::of({1, 1.05, 0})) == "1.05");
  CHECK(std::isnan(AnswerNumber::of({1, 1.05, 0}).error));
}

TEST_CASE("an answer says nothing without a mark and without a number") {
  CHECK(Answer{Mark::none, {}, "not asked"}.says_nothing());
  CHECK_FALSE(Answer{Mark::none, {AnswerNumber::exact(1)}, ""}.says_nothing());
  CHECK(numbers_text({Mark::none, {AnswerNumber::exact(5.8), AnswerNumber::exact(-0.6, 2, "drift")}, ""}) ==
        "5.8, drift -0.6");
}

TEST_CASE("a legend explains the words that are used, and names those that it cannot") {
  const AnswerColumn column{
      "own code", "codes", "so many codes differ", {{"bf16", "left in bfloat16"}, {"f32", "left"}}};
  const Answer stored{Mark::partly, {AnswerNumber::exact(7).with_unit("bf16")}, ""};
  CHECK(words_of(stored, column.unit) == std::set<std::string>{"bf16"});
  CHECK(words_of({Mark::yes, {AnswerNumber::exact(7)}, ""}, column.unit) == std::set<std::string>{"codes"});
  CHECK(words_of({Mark::no, {AnswerNumber::word("refused")}, ""}, column.unit) == std::set<std::string>{"refused"});
  CHECK(answer_table({{"uniqueness", column}}, {{"rope", "uniqueness", stored}}).columns[0].legend_text() ==
        "so many codes differ; bf16: left in bfloat16");
  CHECK(answer_table({{"uniqueness", column}}, {}).columns[0].legend_text() == "so many codes differ");
  CHECK(unexplained(column, {"codes", "bf16", "f32"}).empty());
  CHECK(unexplained(column, {"code", "refused"}) == std::vector<std::string>{"code", "refused"});  // no part of a word
}

TEST_CASE("a table of answers: what stands in its cells, and what its entries and signs mean") {
  const AnswerTable table =
      answer_table({{"uniqueness", {"own code", "codes", "so many differ", {}}, "mask = causal"}},
                   {{"rope",
                     "uniqueness",
                     {Mark::yes, {AnswerNumber::of({3, 1.05, 0.04})}, ""},
                     true,
                     {"trained on copy"},
                     AnswerState::answered,
                     "mask = none"},
                    {"none",
                     "uniqueness",
                     {Mark::none, {AnswerNumber::word("refused")}, "why"},
                     false,
                     {},
                     AnswerState::answered,
                     "mask = causal"},
                    {"late", "uniqueness", {Mark::none, {}, "not run"}, false, {}, AnswerState::not_run}});
  CHECK(table.answers[0].text == "1.05 ± 0.04 at mask = none");
  CHECK(table.answers[0].compact == "1.05(4) at mask = none");
  CHECK_FALSE(table.answers[0].needs_reason);
  CHECK(table.answers[1].text == "refused");
  CHECK(table.answers[1].needs_reason);
  CHECK(table.answers[2].text == "not run");
  CHECK(table.columns[0].legend ==
        std::vector<LegendEntry>{{LegendEntry::Kind::column, "", "so many differ", "so many differ"},
                                 {LegendEntry::Kind::point, "", "mask = causal", "numbers at mask = causal"}});
  CHECK(table.rows == std::vector<TableRow>{{"rope", "* †"}, {"none", ""}, {"late", ""}});
  std::string signs;
  for (const SignMeaning& one : table.signs) signs += one.sign + " ";
  CHECK(signs == "✓ * * † ± 1.42(3) ");
}

TEST_CASE("a table explains a training once, however many answers rest on it") {
  VariantAnswer answer{"learned", "one", {Mark::yes, {}, ""}};
  answer.trained = {"trained on copy, 20 steps", "trained on sort, 20 steps"};
  VariantAnswer other = answer;
  other.experiment = "two";
  const AnswerTable table =
      answer_table({{"one", {"first", "", "what"}}, {"two", {"second", "", "what"}}}, {answer, other});
  std::vector<std::string> trainings;
  for (const SignMeaning& entry : table.signs)
    if (entry.sign == trained_sign) trainings.push_back(entry.meaning);
  CHECK(trainings == answer.trained);
}
