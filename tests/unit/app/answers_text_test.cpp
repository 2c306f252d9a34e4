// SPDX-License-Identifier: Apache-2.0
// The table of answers on a terminal.
#include "text/summary.hpp"

#include <algorithm>
#include <sstream>

#include "catch.hpp"
#include "terminal/styled_text.hpp"

using namespace poslab;
using data::AnswerNumber;
using data::Mark;

namespace {

// What a table is made from.
struct Ingredients {
  std::vector<data::AskedColumn> columns;
  std::vector<data::VariantAnswer> answers;
  operator data::AnswerTable() const { return data::answer_table(columns, answers); }
};

Ingredients small_table() {
  return {{{"uniqueness", {"own code", "", "how many"}}, {"relative-shift", {"relative", "rms", "by how much"}}},
          {{"none", "uniqueness", {Mark::no, {data::AnswerNumber::word("1 of 8")}, ""}, false},
           {"learned", "uniqueness", {Mark::yes, {data::AnswerNumber::word("8")}, ""}, true},
           {"none", "relative-shift", {Mark::yes, {data::AnswerNumber::word("0")}, ""}, false},
           {"learned", "relative-shift", {Mark::cannot_tell, {AnswerNumber::of({3, 1.4, 0.9})}, ""}, true}}};
}

}  // namespace

TEST_CASE("answers: a line for each variant, a column for each question, a legend") {
  CHECK(app::answers_text(small_table(), {80, false}).plain() ==
        "               own code    relative\n"
        "                           rms\n"
        "  none       ✗ 1 of 8    ✓ 0\n"
        "  learned *  ✓ 8         ? 1.4 ± 0.9\n"
        "\n"
        "  ✓ yes  ✗ no  ? cannot tell  * untrained weights  ± standard error\n"
        "  own code  how many\n"
        "  relative  by how much\n");
}

TEST_CASE("answers: a dash stands where a question has no answer") {
  Ingredients table = small_table();
  table.answers.back().answer.mark = Mark::none;
  table.answers.back().answer.numbers.clear();
  CHECK_THAT(app::answers_text(table, {80, false}).plain(), check::contains("  learned *  ✓ 8           –\n"));
}

TEST_CASE("answers: a dagger says on what weights were trained") {
  Ingredients table = small_table();
  for (data::VariantAnswer& answer : table.answers)
    if (answer.untrained) answer.untrained = false, answer.trained = {"trained on copy, 2000 steps"};
  const std::string text = app::answers_text(table, {80, false}).plain();
  CHECK_THAT(text, check::contains("learned †  ✓ 8") && check::contains("\n  † trained on copy, 2000 steps\n"));
  CHECK(text.find('*') == std::string::npos);
  for (const char* more : {"0", "1", "2", "3"}) table.answers[1].trained.emplace_back(more);
  CHECK_THAT(app::answers_text(table, {80, false}).plain(),
             check::contains("† trained on copy, 2000 steps; 0; 1; 2 more, in the messages of the cells"));
}

TEST_CASE("answers: a legend is told in full, however long") {
  Ingredients table = small_table();
  const std::string rest(50, 'b');
  table.columns[0].declared.legend = "how many; " + rest + " " + rest + "; bf16: " + rest;
  table.columns[1].declared.legend = "by how much; of what; and so on";
  const std::string text = app::answers_text(table, {80, false}).plain();
  CHECK_THAT(text, check::contains("  own code  how many; " + rest + "\n            " + rest + "; bf16:\n") &&
                       check::contains("  relative  by how much; of what; and so on\n"));
  CHECK(app::answers_text(table, {80, true}).plain() == text);
}

TEST_CASE("answers: where columns continue below, each group has its own legend, and the signs are said once") {
  const std::string text = app::answers_text(small_table(), {32, false}).plain();
  const std::size_t first = text.find("  own code  how many\n"), second = text.find("  relative  by how much\n");
  REQUIRE(first != std::string::npos);
  REQUIRE(second != std::string::npos);
  CHECK(text.find("\n\n" + std::string(17, ' ') + "relative\n") > first);
  CHECK(text.find("✓ yes") < first);
  CHECK(text.find("✓ yes", first) == std::string::npos);
}

TEST_CASE("answers: no line is wider than asked for, whatever the names") {
  Ingredients table = small_table();
  table.columns[0].declared.legend = std::string(30, 'a') + " " + std::string(60, 'b');
  table.answers.push_back(
      {"rope(scaling=dynamic-ntk, factor=4.0)", "uniqueness", {Mark::yes, {data::AnswerNumber::word("8")}, ""}, false});
  for (const std::size_t width : {48u, 64u, 80u}) {
    std::istringstream lines(app::answers_text(table, {width, false}).plain());
    for (std::string line; std::getline(lines, line);) {
      if (line.find('b') != std::string::npos && width < 70) continue;  // one word that is wider by itself
      CHECK(app::display_width(line) <= width);
    }
  }
}

TEST_CASE("answers: a long name has its own line, columns that do not fit continue below") {
  Ingredients table = small_table();
  const std::string name = "rope(scaling=dynamic-ntk, factor=4.0)";
  table.answers.push_back({name, "uniqueness", {Mark::yes, {data::AnswerNumber::word("8")}, ""}, false});
  const std::string text = app::answers_text(table, {32, false}).plain();
  CHECK_THAT(text, check::contains("  " + name + "\n                    ✓ 8\n"));
  CHECK_THAT(text, check::contains("\n\n" + std::string(22, ' ') + "relative\n"));
}

TEST_CASE("answers in full: by question, a sentence for each variant") {
  Ingredients table = small_table();
  table.answers[0].answer.sentence = "all codes are the same";
  table.answers[1].answer.sentence = "every code is another one at length 8";
  CHECK_THAT(app::sentences_text(table, {40, true}).plain(),
             check::starts_with("\nown code, by uniqueness\n"
                                "  ✗ none: all codes are the same\n"
                                "  ✓ learned: every code is another one\n"
                                "      at length 8\n"
                                "\nrelative, by relative-shift\n"));
}

TEST_CASE("answers: where the table is too wide, an error stands in units of the last digit") {
  Ingredients table = small_table();
  table.answers[0].answer.numbers = {AnswerNumber::of({3, 1.05, 0.04}, "x")};
  CHECK_THAT(app::answers_text(table, {38, false}).plain(), check::contains("x 1.05(4)"));
  CHECK_THAT(app::answers_text(table, {80, false}).plain(), check::contains("x 1.05 ± 0.04"));
  CHECK_THAT(app::answers_text(table, {38, false}).plain(), check::contains("1.42(3)"));
}

TEST_CASE("answers: colours are for marks alone") {
  const app::StyledText text = app::answers_text(small_table(), {80, false});
  CHECK(text.plain().find('\033') == std::string::npos);
  CHECK_THAT(text.written(app::Colours::many), check::contains("  none       \033[1;38;5;160m✗\033[0m 1 of 8    "));
}

TEST_CASE("answers: names are made fit to print") {
  Ingredients table = small_table();
  table.answers[0].variant = table.answers[2].variant = "no\ne\033[2J";
  CHECK_THAT(app::answers_text(table, {80, false}).written(app::Colours::many),
             check::contains("no\\u000Ae\\u001B[2J  \033["));
}

TEST_CASE("answers: what was not run says so, and not that there is no answer") {
  Ingredients table = small_table();
  CHECK(app::answers_text(table, {80, false}).plain().find("not run") == std::string::npos);
  table.answers.back().answer = {Mark::none, {}, "not run"};
  table.answers.back().state = data::AnswerState::not_run;
  const std::string text = app::answers_text(table, {80, false}).plain();
  CHECK_THAT(text, check::contains("  learned *  ✓ 8           not run\n") && !check::contains("no answer"));
}

TEST_CASE("answers: the point of a column's numbers stands in its legend, and that of a row which has another in it") {
  Ingredients table = small_table();
  table.answers.push_back({"rope", "uniqueness", {Mark::yes, {data::AnswerNumber::word("7")}, ""}});
  for (data::VariantAnswer& one : table.answers)
    if (one.experiment == "uniqueness") one.point = one.variant == "none" ? "mask = none" : "mask = causal";
  table.columns[0].point = "mask = causal";
  const std::string text = app::answers_text(table, {80, false}).plain();
  CHECK_THAT(text, check::contains("✗ 1 of 8 at mask = none  ") && check::contains("✓ 8 ") && check::contains("✓ 7  "));
  CHECK_THAT(text, check::contains("  own code  how many; numbers at mask = causal\n"));
}

TEST_CASE("answers: a word that stands for every point names none") {
  Ingredients table = small_table();
  for (data::VariantAnswer& one : table.answers)
    if (one.experiment == "uniqueness") one.point = "mask = causal";
  table.columns[0].point = "mask = causal";
  data::VariantAnswer failed{"rope", "uniqueness", {Mark::none, {data::AnswerNumber::word("failed")}, ""}};
  table.answers.push_back(failed);
  const std::string text = app::answers_text(table, {80, false}).plain();
  CHECK_THAT(text, check::contains("failed") && !check::contains("failed at"));
}

TEST_CASE("answers: a word that is about one task of several says which") {
  Ingredients table = small_table();
  const std::string point = "task = s3, smallest = 1, largest = 8";
  table.answers.push_back({"rope", "uniqueness", {Mark::partly, {AnswerNumber::word("untaught")}, ""}});
  table.answers.push_back({"path", "uniqueness", {Mark::yes, {AnswerNumber::exact(0.5)}, ""}});
  for (data::VariantAnswer& one : table.answers)
    if (one.experiment == "uniqueness") one.point = point;
  table.columns[0].point = point;
  const std::string text = app::answers_text(table, {100, false}).plain();
  CHECK_THAT(text, check::contains("rope       ~ untaught at task = s3  ·\n") &&
                       check::contains("path       ✓ 0.5                    ·\n"));
  CHECK_THAT(text, check::contains("numbers at " + point));
}

TEST_CASE("answers: every sign that is printed is explained, and none that is not") {
  Ingredients table = small_table();
  const auto signs = [&](std::size_t width = 160) {
    const std::string text = app::answers_text(table, {width, false}).plain();
    const std::size_t begin = text.find("\n\n") + 2;
    return text.substr(begin, text.find("\n  own code", begin) - begin);
  };
  CHECK(signs() == "  ✓ yes  ✗ no  ? cannot tell  * untrained weights  ± standard error");
  CHECK_THAT(signs(40), check::contains("1.42(3) = 1.42 ± 0.03"));
  table.answers[3].answer = {};
  CHECK(signs() == "  ✓ yes  ✗ no  – no answer  * untrained weights");
  table.answers.pop_back();  // was not asked
  CHECK(signs() == "  ✓ yes  ✗ no  · not asked  * untrained weights");
  table.answers[0].answer = {
      Mark::partly,
      {AnswerNumber::exact(1.5).with_interval(1, 2), AnswerNumber::exact(7).with_relation(data::Relation::above),
       AnswerNumber::exact(8).with_relation(data::Relation::below), AnswerNumber::exact(8e-9)},
      ""};
  CHECK(signs() ==
        "  ✓ yes  ~ in part  · not asked  * untrained weights  [ ] interval that decides  > more than  < less than  "
        "1e-04 = 0.0001");
  CHECK_THAT(app::answers_text(table, {120, false}).plain(),
             check::contains("  learned *  ✓ 8") && check::contains("·\n"));
}

TEST_CASE("answers: marks of a description have no colour") {
  Ingredients table = small_table();
  for (data::AskedColumn& column : table.columns) column.declared.is_description = true;
  const std::string shown = app::answers_text(table, {80, false}).written(app::Colours::many);
  CHECK(shown.find('\033') == std::string::npos);
  CHECK(app::sentences_text(table, {80, false}).written(app::Colours::many).find('\033') == std::string::npos);
  table.columns[0].declared.is_description = false;
  CHECK_THAT(app::answers_text(table, {80, false}).written(app::Colours::many), check::contains("\033"));
}

TEST_CASE("digest: a line for each question, with the names for which there is room") {
  Ingredients table = small_table();
  table.answers.push_back({"rope", "uniqueness", {Mark::yes, {AnswerNumber::exact(7)}, ""}});
  table.answers.push_back({"rope", "relative-shift", {Mark::none, {}, ""}, false, {}, data::AnswerState::not_run});
  CHECK(app::digest_text(table, 80) ==
        "\nin short, of 3 rows (✓ yes  ✗ no  ~ in part  ? cannot tell  – no answer)\n"
        "  own code  ✓ 2: learned and rope  ✗ 1: none\n"
        "  relative  ✓ 1: none  ? 1: learned  not run 1: rope\n");
  CHECK_THAT(app::digest_text(table, 30), check::contains("  own code  ✓ 2  ✗ 1: none\n"));
  CHECK(app::digest_text({}, 80).empty());
}

TEST_CASE("answers: a row whose plugin is in doubt says so, and a line below the table why") {
  const std::string text =
      app::answers_text(small_table(), {80, false}, {{{"none", "poslab check of none: failed: bounds"}}}).plain();
  CHECK_THAT(text,
             check::contains("\n  none !     ✗") && check::contains("\n  ! poslab check of none: failed: bounds\n"));
  CHECK(text.find("learned *!") == std::string::npos);
}
