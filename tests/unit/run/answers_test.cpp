// SPDX-License-Identifier: Apache-2.0
// Answers at several points as one, and the table of a plan.
#include "poslab/run/answers.hpp"

#include <cmath>

#include "catch.hpp"
#include "judge/point_answers.hpp"

using namespace poslab;
using data::Answer;
using data::Mark;

namespace {

Answer joined(const run::PointAnswers& points, const std::string& shown = "of none of them") {
  return run::answer_of({.points = points}, shown);
}

std::string common_point(const std::vector<run::PointAnswers>& variants) {
  std::vector<run::AnswerFacts> facts;
  for (const run::PointAnswers& points : variants) facts.push_back({.points = points});
  return run::common_point(facts);
}

}  // namespace

TEST_CASE("one point answers for itself") {
  const Answer answer = joined({{"", {Mark::yes, {data::AnswerNumber::word("1")}, "it does"}}});
  CHECK(answer.mark == Mark::yes);
  CHECK(answer.sentence == "it does");
}

TEST_CASE("points that agree are one answer, with the last one's number") {
  const Answer answer = joined({{"length = 8", {Mark::no, {data::AnswerNumber::word("1")}, "a"}},
                                {"length = 16", {Mark::no, {data::AnswerNumber::word("2")}, "b"}}});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "2");
  CHECK(answer.sentence == "length = 16: b (alike at each of 2 points)");
}

TEST_CASE("points that contradict each other say so") {
  const Answer answer = joined({{"length = 8", {Mark::yes, {data::AnswerNumber::word("1")}, "a"}},
                                {"length = 16", {Mark::yes, {data::AnswerNumber::word("1")}, "a"}},
                                {"length = 32", {Mark::no, {data::AnswerNumber::word("2")}, "b"}}});
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "2");
  CHECK(answer.sentence == "yes at length = 8 and length = 16; no at length = 32. length = 32: b");
}

TEST_CASE("a no here and what cannot be told there is not half a yes") {
  CHECK(joined({{"length = 8", {Mark::no, {}, ""}}, {"length = 16", {Mark::cannot_tell, {}, ""}}}).mark ==
        Mark::cannot_tell);
}

TEST_CASE("where networks learnt nothing, no other point is contradicted and no number is shown beside others") {
  const auto untaught = [](const std::string& words) {
    return std::pair(words, Answer{Mark::none, {data::AnswerNumber::word("untaught")}, "too few steps", true});
  };
  const auto at = [](const std::string& words, Mark mark) {
    return std::pair(words, Answer{mark, {data::AnswerNumber::word(words)}, "it is"});
  };
  const Answer no = joined({at("copy", Mark::no), untaught("mqar"), untaught("s3")}, "s3");
  CHECK(no.mark == Mark::no);
  CHECK(numbers_text(no) == "copy");
  CHECK(no.sentence == "copy: it is. No answer at mqar and s3 (2 of 3 measured points): too few steps");
  CHECK(joined({at("copy", Mark::yes), at("mqar", Mark::no), untaught("s3")}).mark == Mark::partly);
  CHECK(joined({at("copy", Mark::none), at("mqar", Mark::no)}).mark == Mark::partly);  // a number that judges nothing
  CHECK(numbers_text(joined({untaught("copy"), untaught("s3")})) == "untaught");
  CHECK(common_point({{at("copy", Mark::no), untaught("s3")}, {at("copy", Mark::yes), at("s3", Mark::no)}}) == "copy");
}

namespace {

struct Asked {
  void add(const std::string& label, std::int64_t length, const std::optional<data::Outcome>& outcome) {
    data::Cell& cell = cells.emplace_back();
    cell.experiment = "uniqueness";
    cell.variant.label = label;
    cell.axes = {{"length", length},
                 {"kind", std::string("natural")},
                 {"offsets", std::string("causal")},
                 {"contents", std::int64_t{16}},
                 {"dtype", std::string("float64")},
                 {"search", std::string("exact")},
                 {"samples", std::int64_t{256}}};
    outcomes.emplace_back(outcome);
  }
  data::AnswerTable table() const {
    return run::answer_table(
        cells, [&](std::size_t i) { return outcomes[i]; }, families);
  }
  std::vector<data::Cell> cells;
  std::vector<std::optional<data::Outcome>> outcomes;
  data::Families families = {};
};

data::Outcome distinct(double count) {
  data::Outcome outcome;
  for (const char* name : {"distinct", "distinct_float32", "distinct_bfloat16"}) outcome.record.scalar(name, count);
  outcome.record.scalar("collisions", 0);
  outcome.record.scalar("min_distance", 1);
  return outcome;
}

}  // namespace

TEST_CASE("a table has a column for each experiment, and an answer for each variant that was asked") {
  Asked asked;
  asked.add("rope", 8, distinct(8));
  asked.add("rope", 8, distinct(8));
  asked.add("none", 8, data::Outcome{data::Status::skipped, "it has no code", {}});
  asked.add("spoilt", 8, data::Outcome{data::Status::crashed, "signal 11", {}});
  const data::AnswerTable table = asked.table();
  REQUIRE(table.columns.size() == 1);
  CHECK(table.columns[0].experiment == "uniqueness");
  REQUIRE(table.answers.size() == 3);
  CHECK(table.answers[0].answer.mark == Mark::yes);
  CHECK(table.answers[1].answer.says_nothing());
  CHECK(table.answers[1].answer.sentence == "it has no code");
  CHECK(numbers_text(table.answers[2].answer) == "crashed");
}

TEST_CASE("where some points have no numbers, the answer says why") {
  Asked asked;
  asked.add("learned", 8, distinct(8));
  asked.add("learned", 16, data::Outcome{data::Status::skipped, "its table ends at 8", {}});
  const Answer answer = asked.table().answers.at(0).answer;
  CHECK(answer.mark == Mark::yes);
  CHECK_THAT(answer.sentence, check::contains(". At length = 16 skipped: its table ends at 8"));
  asked.add("learned", 32, data::Outcome{data::Status::failed, "as well", {}});
  asked.add("learned", 32, data::Outcome{data::Status::failed, "as well", {}});  // of another repeat
  CHECK_THAT(asked.table().answers.at(0).answer.sentence,
             check::contains(". At length = 16, and at 1 more, skipped: its table ends at 8"));
}

TEST_CASE("an experiment that this build does not have gives no answer") {
  Asked asked;
  asked.add("rope", 8, distinct(8));
  asked.cells.front().experiment = "unheard-of";
  CHECK(asked.table().answers.empty());
  CHECK(asked.table().columns.empty());
}

TEST_CASE("points at which an answer says nothing contradict none of the others") {
  const Answer answer = joined({{"length = 8", {Mark::yes, {data::AnswerNumber::word("1")}, "a"}},
                                {"length = 16", {Mark::none, {}, "not asked"}}});
  CHECK(answer.mark == Mark::yes);
  CHECK(numbers_text(answer) == "1");
  CHECK(answer.sentence == "length = 8: a. No answer at length = 16 (1 of 2 measured points): not asked");
  CHECK(joined({{"length = 8", {Mark::no, {data::AnswerNumber::word("1")}, "a"}},
                {"length = 16", {Mark::none, {}, "b"}},
                {"length = 32", {Mark::no, {data::AnswerNumber::word("2")}, "c"}},
                {"length = 64", {Mark::none, {}, "d"}}})
            .sentence ==
        "length = 32: c (alike at each of 2 points). No answer at length = 16 and length = 64 (2 of 4 measured "
        "points): b");
  CHECK(joined({{"length = 8", {Mark::none, {}, "no"}}, {"length = 16", {Mark::none, {}, "not asked"}}}).sentence ==
        "not asked");
}

TEST_CASE("a column shows the numbers of one point, which all of its rows have") {
  Asked asked;
  asked.add("none", 8, distinct(1));
  asked.add("none", 16, distinct(2));
  asked.add("causal", 8, distinct(8));
  asked.add("causal", 16, data::Outcome{data::Status::skipped, "it ends at 8", {}});
  const std::vector<data::VariantAnswer> answers = asked.table().answers;
  REQUIRE(answers.size() == 2);
  for (const data::VariantAnswer& one : answers) CHECK(one.point == "length = 8");
  CHECK_THAT(numbers_text(answers[0].answer), check::starts_with("1"));
  CHECK(answers[0].answer.mark == Mark::no);
  CHECK_THAT(answers[0].answer.sentence, check::starts_with("length = 8: "));
  CHECK_THAT(numbers_text(answers[1].answer), check::starts_with("8"));
  // Where there is none, that of most rows; the others say theirs.
  asked.add("late", 8, data::Outcome{data::Status::skipped, "it begins at 16", {}});
  asked.add("late", 16, distinct(16));
  asked.add("later", 16, distinct(16));
  const std::vector<data::VariantAnswer> more = asked.table().answers;
  REQUIRE(more.size() == 4);
  CHECK(more[0].point == "length = 16");
  CHECK(more[1].point == "length = 8");
  CHECK(more[3].point == "length = 16");
}

TEST_CASE("the numbers are those of the point that is shown, and the mark is of all") {
  const Answer answer = joined({{"mask = causal", {Mark::yes, {data::AnswerNumber::word("1")}, "a"}},
                                {"mask = none", {Mark::no, {data::AnswerNumber::word("2")}, "b"}}},
                               "mask = causal");
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "1");
  CHECK(common_point({{{"a", {Mark::yes, {data::AnswerNumber::word("1")}, ""}},
                       {"b", {Mark::yes, {data::AnswerNumber::word("1")}, ""}}},
                      {{"a", {Mark::yes, {data::AnswerNumber::word("1")}, ""}}, {"b", {Mark::none, {}, ""}}},
                      {{"a", {Mark::none, {}, ""}}}}) == "a");
  CHECK(common_point({}).empty());
}

TEST_CASE("a column shows a point at which its rows differ, of several the last") {
  const auto at = [](const char* words, Mark mark, double number) {
    return std::pair<std::string, data::Answer>(words, {mark, {data::AnswerNumber::exact(number)}, ""});
  };
  // The second and the third of three lengths have rows that are alike.
  CHECK(common_point({{at("8", Mark::no, 4), at("16", Mark::yes, 1), at("32", Mark::yes, 1)},
                      {at("8", Mark::yes, 8), at("16", Mark::yes, 1), at("32", Mark::yes, 1)}}) == "8");
  CHECK(common_point({{at("8", Mark::yes, 4), at("16", Mark::yes, 5), at("32", Mark::yes, 1)},
                      {at("8", Mark::yes, 8), at("16", Mark::yes, 6), at("32", Mark::yes, 1)}}) == "16");
  CHECK(common_point({{at("8", Mark::no, 4), at("16", Mark::yes, 1)},
                      {at("8", Mark::yes, 8), at("16", Mark::yes, 2)}}) == "8");  // marks before numbers
  CHECK(common_point({{at("8", Mark::no, 4), at("16", Mark::yes, 1)}, {at("16", Mark::yes, 1)}}) == "16");
}

TEST_CASE("an interrupted run says that cells were not run, also beside skipped ones") {
  Asked asked;
  asked.add("rope", 8, data::Outcome{data::Status::skipped, "it has no code", {}});
  asked.add("rope", 16, std::nullopt);
  asked.add("none", 8, distinct(8));
  asked.add("none", 16, std::nullopt);
  const data::AnswerTable table = asked.table();
  CHECK(table.answers.at(0).state == data::AnswerState::not_run);
  CHECK(table.answers.at(0).answer.sentence == "not run: 1 of 2 cells");
  CHECK(table.answers.at(1).state == data::AnswerState::answered);
  CHECK_THAT(table.answers.at(1).answer.sentence, check::contains("; not run: 1 of 2 cells"));
}

TEST_CASE("a column's legend says what the words are that its answers print, and no others") {
  Asked asked;
  asked.add("rope", 8, distinct(8));
  const std::string plain = asked.table().columns.at(0).legend_text();
  CHECK(plain.find("bf16") == std::string::npos);
  CHECK(plain.find("crashed") == std::string::npos);
  asked.add("none", 8, data::Outcome{data::Status::crashed, "signal 11", {}});
  CHECK_THAT(asked.table().columns.at(0).legend_text(), check::contains("; crashed: a cell ended its process"));
  Asked waits;
  waits.add("rope", 8, std::nullopt);
  waits.cells.front().experiment = "cache-consistency";
  CHECK_THAT(waits.table().columns.at(0).legend_text(), check::contains("; sd: the standard deviation of logits"));
}

TEST_CASE("a table says how it comes that there is no answer") {
  using data::AnswerState;
  Asked asked;
  asked.add("answers", 8, distinct(8));
  asked.add("skipped", 8, data::Outcome{data::Status::skipped, "it has no code", {}});
  asked.add("crashed", 8, data::Outcome{data::Status::crashed, "signal 11", {}});
  asked.add("waits", 8, std::nullopt);
  std::vector<AnswerState> states;
  for (const data::VariantAnswer& one : asked.table().answers) states.push_back(one.state);
  CHECK(states == std::vector{AnswerState::answered, AnswerState::skipped, AnswerState::failed, AnswerState::not_run});
  for (const data::VariantAnswer& one : asked.table().answers) CHECK(one.point.empty());
}

TEST_CASE("a row names every training that it is of, once") {
  Asked asked;
  data::Outcome outcome = distinct(8);
  outcome.weights = data::WeightsState::given;
  for (const char* note : {"trained on copy, 2000 steps", "trained on sort, 50 steps", "trained on copy, 2000 steps"}) {
    outcome.message = note;
    asked.add("learned", static_cast<std::int64_t>(8 + asked.cells.size()), outcome);
  }
  CHECK(asked.table().answers.at(0).trained ==
        std::vector<std::string>{"trained on copy, 2000 steps", "trained on sort, 50 steps"});
}

namespace {

// A variant whose share of position 0 differs in mean by this factor, in repeats by a tenth.
void add_shares(Asked& asked, const std::string& label, double factor) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    data::Cell& cell = asked.cells.emplace_back();
    cell.experiment = "first-position-bias";
    cell.variant.label = label;
    cell.repeat = repeat;
    cell.axes = {{"length", std::int64_t{64}},
                 {"samples", std::int64_t{1}},
                 {"query_gain", 1.0},
                 {"residual", true},
                 {"lengths", std::string("uniform")},
                 {"sequences", std::int64_t{10}},
                 {"dtype", std::string("float64")},
                 {"depth", std::vector<double>{1}}};
    data::Outcome outcome;
    outcome.record.coordinate("depth", {1});
    outcome.record.curve("residual_context_share", {"depth"}, {0.02 * (factor + (repeat % 2 == 0 ? 0.1 : -0.1))});
    outcome.record.curve("residual_context_share_none", {"depth"}, {0.02});
    outcome.record.coordinate("head", {0});
    outcome.record.curve("decay", {"head"}, {0});
    asked.outcomes.emplace_back(outcome);
  }
}

std::vector<Mark> marks_of(const data::AnswerTable& table) {
  std::vector<Mark> marks;
  for (const data::VariantAnswer& one : table.answers) marks.push_back(one.answer.mark);
  return marks;
}

}  // namespace

// One error is 0.1 / sqrt(19); 3 of them from 1.01 is a chance of 1 in 136, 2.5 one of 1 in 46.
TEST_CASE("a column's marks are corrected for its rows, by Holm, the surest first") {
  const double error = 0.1 / std::sqrt(19.0), sure = 1.01 + 3 * error, less_sure = 1.01 + 2.5 * error;
  Asked one;
  add_shares(one, "one", less_sure);
  CHECK(marks_of(one.table()) == std::vector{Mark::yes});
  one.families = {{"first-position-bias", 3}};
  CHECK(marks_of(one.table()) == std::vector{Mark::cannot_tell});  // as --only has it, of a study of three
  const data::AnswerNumber wide = one.table().answers[0].answer.numbers.at(0);
  CHECK(wide.low < 1.01);

  Asked two;
  add_shares(two, "less sure", less_sure);
  CHECK(marks_of(two.table()) == std::vector{Mark::yes});
  add_shares(two, "sure", sure);
  two.families = {{"first-position-bias", 2}};
  CHECK(marks_of(two.table()) == std::vector{Mark::yes, Mark::yes});  // the sure one leaves the other the whole rate
  two.families = {{"first-position-bias", 3}};
  CHECK(marks_of(two.table()) == std::vector{Mark::yes, Mark::yes});
  two.families = {{"first-position-bias", 4}};
  CHECK(marks_of(two.table()) == std::vector{Mark::cannot_tell, Mark::yes});
  two.families = {{"first-position-bias", 8}};
  CHECK(marks_of(two.table()) == std::vector{Mark::cannot_tell, Mark::cannot_tell});
  two.families = {{"uniqueness", 8}};
  CHECK(marks_of(two.table()) == std::vector{Mark::yes, Mark::yes});
}
