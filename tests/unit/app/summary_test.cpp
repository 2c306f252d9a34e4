// SPDX-License-Identifier: Apache-2.0
// What a run ends with: answers, what failed, expectations, the last line.
#include "text/summary.hpp"

#include <cmath>

#include "catch.hpp"

using namespace poslab;

TEST_CASE("expectations with their verdicts") {
  data::ExpectationResult holds;
  holds.expectation = {"uniqueness", "min_distance", {{"length", std::int64_t{8}}}, 2, 0.5, "Author 2026", 1, 1};
  holds.measured = 2.25;
  holds.verdict = data::Verdict::holds;
  data::ExpectationResult fails = holds;
  fails.verdict = data::Verdict::fails;
  fails.message = "3 is not 2 ± 0.5";
  fails.expectation.source = "";
  for (data::ExpectationResult* result : {&holds, &fails}) data::set_texts(*result);
  CHECK(app::expectations_text({holds, fails}, true) ==
        "\nexpectations: 1 of 2 hold, 1 fails\n  ✓ uniqueness min_distance length=8: 2.25 (expected 2 ± 0.5) [Author "
        "2026]\n"
        "  ✗ uniqueness min_distance length=8: 3 is not 2 ± 0.5\n");
  CHECK(app::expectations_text({holds, fails}, false) ==
        "\nexpectations: 1 of 2 hold, 1 fails\n  ✗ uniqueness min_distance length=8: 3 is not 2 ± 0.5\n");
  CHECK(app::expectations_text({}, false).empty());
}

TEST_CASE("closing line: what happened to the cells, how long, and where") {
  run::OutcomeSummaries outcomes(6, run::OutcomeSummary{});
  CHECK(app::closing_line(outcomes, 12, "a.h5") == "\n6 cells ok in 12 s: a.h5\n");
  outcomes[0]->status = data::Status::skipped;
  outcomes[1]->status = data::Status::failed;
  outcomes[2]->status = data::Status::crashed;
  outcomes[3]->status = data::Status::timeout;
  outcomes[4].reset();
  CHECK(app::closing_line(outcomes, 12, "a.h5") ==
        "\n1 cell ok, 1 skipped, 1 failed, 1 crashed, 1 timeout, 1 of 6 not run in 12 s: a.h5\n");
}

TEST_CASE("summary: failures by experiment and reason, those that were skipped are none") {
  std::vector<data::Cell> cells(4);
  run::OutcomeSummaries outcomes;
  for (const char* label : {"a", "a", "b", "c"}) {
    data::Cell& cell = cells[outcomes.size()];
    cell.experiment = "uniqueness";
    cell.variant.label = label;
    outcomes.emplace_back(run::OutcomeSummary{data::Status::crashed, "signal 11", {}, {}});
  }
  outcomes[3] = run::OutcomeSummary{data::Status::skipped, "it has no code", {}, {}};
  CHECK(app::failures_text({"", "", cells, {}, outcomes, {}, {}, {}, {}}).plain() ==
        "\nwithout numbers\n  uniqueness of a and b crashed: signal 11\n");
  outcomes.clear(), cells.clear();
  CHECK(app::failures_text({"", "", cells, {}, outcomes, {}, {}, {}, {}}).empty());
}

TEST_CASE("summary: each training of weights is named once, whichever columns have cells of it") {
  std::vector<data::Cell> cells;
  run::OutcomeSummaries outcomes;
  std::vector<data::VariantAnswer> given;
  const auto add = [&](const std::string& experiment, const std::string& training) {
    data::Cell& cell = cells.emplace_back();
    cell.experiment = experiment;
    cell.variant.label = "learned";
    outcomes.emplace_back(run::OutcomeSummary{data::Status::ok, training, {}, {}, data::WeightsState::trained});
  };
  add("one", "trained on copy, 20 steps");
  add("one", "trained on sort, 20 steps");
  add("two", "trained on copy, 20 steps");
  add("in no table", "trained on text, 20 steps");
  data::VariantAnswer answer{"learned", "one", {data::Mark::yes, {}, ""}};
  answer.trained = {"trained on copy, 20 steps", "trained on sort, 20 steps"};
  given.push_back(answer);
  answer.experiment = "two";
  answer.trained = {"trained on copy, 20 steps"};
  given.push_back(answer);
  const data::AnswerTable answers =
      data::answer_table({{"one", {"first", "", "what"}}, {"two", {"second", "", "what"}}}, given);
  const std::string text = app::summary({"", "a.h5", cells, {}, outcomes, {}, answers, {}, {}}, {80, false}).plain();
  CHECK_THAT(text, check::contains("\n  † trained on copy, 20 steps; trained on sort, 20 steps\n"));
}

TEST_CASE("summary: a curve is offered where a cell has it, and a file's name as a shell reads it") {
  data::Catalogue catalogue;
  data::ExperimentInfo& info = catalogue.experiments.emplace_back();
  info.id = "language-model";
  info.measures.emplace_back().name = "held_out_loss";
  std::vector<data::Cell> cells(2);
  for (data::Cell& cell : cells) cell.experiment = info.id, cell.variant.label = "rope";
  run::OutcomeSummaries outcomes(2);
  outcomes[0] = run::OutcomeSummary{data::Status::failed, "the training diverged", {}, {}};
  const data::AnswerTable answers =
      data::answer_table({{info.id, {"loss", "", "what"}}}, {{"rope", info.id, {data::Mark::yes, {}, ""}}});
  const auto text = [&] {
    return app::summary({"", "-a b.h5", cells, catalogue, outcomes, {}, answers, {}, {}}, {80, false}).plain();
  };
  CHECK_THAT(text(), !check::contains("--curve"));
  CHECK_THAT(text(), check::contains("poslab report './-a b.h5'\n"));
  outcomes[1] = run::OutcomeSummary{data::Status::ok, "", {0}, {0}};
  CHECK_THAT(text(), check::contains("poslab summary './-a b.h5' --curve held_out_loss\n"));
}

namespace {

// Two variants, trained on two tasks of one experiment and on one of another, with two repeats.
struct Trainings {
  data::Catalogue catalogue;
  std::vector<data::Cell> cells;
  run::OutcomeSummaries outcomes;

  Trainings() {
    for (const auto& [id, measures] :
         {std::pair{"length-generalisation", std::vector{"accuracy_within", "accuracy_beyond"}},
          std::pair{"language-model", std::vector{"loss"}}}) {
      data::ExperimentInfo& info = catalogue.experiments.emplace_back();
      info.id = id;
      for (const char* measure : measures) info.measures.emplace_back().name = measure;
    }
  }

  data::Cell& add(const std::string& experiment, const std::string& label, const data::Values& axes,
                  run::OutcomeSummary outcome) {
    data::Cell& cell = cells.emplace_back();
    cell.experiment = experiment, cell.variant.label = label, cell.axes = axes;
    outcomes.emplace_back(std::move(outcome));
    return cell;
  }
  void size(const std::string& label, const std::string& task, std::int64_t largest, double within, double beyond) {
    add("length-generalisation", label, {{"task", task}, {"largest", largest}},
        {data::Status::ok, "", {within, beyond}, {}, data::WeightsState::none, {within, beyond}});
  }
  void text(const std::string& label, double first, double last) {
    add("language-model", label, {{"task", std::string("text")}, {"multiple", std::vector<double>{1, 8}}},
        {data::Status::ok, "", {last}, {8}, data::WeightsState::none, {first}});
  }
  std::string said() const {
    return app::tasks_text({"", "a b.h5", cells, catalogue, outcomes, {}, {}, {}, {}}, 80).plain();
  }
};

// Two rows of one question, of which one was measured.
struct Run {
  std::vector<data::Cell> cells = std::vector<data::Cell>(2);
  run::OutcomeSummaries outcomes{run::OutcomeSummary{}, run::OutcomeSummary{}};
  data::AnswerTable answers;
  Run() {
    std::vector<data::VariantAnswer> given;
    for (std::size_t i = 0; i < 2; ++i) {
      cells[i].experiment = "uniqueness", cells[i].variant.label = i == 0 ? "none" : "rope";
      given.push_back({cells[i].variant.label, "uniqueness", {i == 0 ? data::Mark::no : data::Mark::yes, {}, ""}});
    }
    answers = data::answer_table({{"uniqueness", {"own code", "", "how many"}}}, given);
  }
  std::string text(std::size_t height) const {
    return app::summary({"", "a.h5", cells, {}, outcomes, {}, answers, {}, {}}, {80, false, height}).plain();
  }
};

}  // namespace

TEST_CASE("summary: networks by task, at the trained sizes and beyond, with errors, refused sizes have a dash") {
  Trainings run;
  for (const char* label : {"rope", "learned"}) {
    const bool is_table = std::string(label) == "learned";
    for (const double add : {0.0, 0.25}) run.size(label, "copy", 16, 0.5 + add, is_table ? std::nan("") : 0.25);
  }
  for (const char* label : {"rope", "learned"}) run.size(label, "mqar", 6, 1, 0.5);
  run.text("rope", 1.5, 3.25);
  run.add("language-model", "learned", {{"task", std::string("text")}}, {data::Status::skipped, "it ends", {}, {}});
  CHECK(run.said() ==
        "\ntrained networks, by task\n"
        "               copy  copy  mqar  mqar  text  text\n"
        "  scheme      to 16  > 16  to 6   > 6   x 1   x 8\n"
        "  rope     0.63(13)  0.25     1   0.5   1.5  3.25\n"
        "  learned  0.63(13)     –     1   0.5     –     –\n"
        "  share of the tokens right, at the trained sizes and at larger ones; of text\n"
        "  the loss in nat, at the trained length and at the largest multiple of it;\n"
        "  means over repeats, 0.83(4): 0.83 ± 0.04; –: refused, or no number\n"
        "  by one score of all tasks, tested, in groups: poslab report 'a b.h5'\n");
}

TEST_CASE("summary: one task that was trained on in two ways has columns of both, named by how they differ") {
  Trainings run;
  for (const char* label : {"rope", "none"})
    for (const std::int64_t steps : {20, 60})
      run.add("length-generalisation", label,
              {{"task", std::string("copy")}, {"largest", std::int64_t{16}}, {"steps", steps}},
              {data::Status::ok, "", {1, 0.5}, {}, data::WeightsState::none, {1, 0.5}});
  CHECK_THAT(run.said(), check::contains("copy steps=20  copy steps=20  copy steps=60  copy steps=60\n"));
}

TEST_CASE("summary: one task, or one variant, is no comparison of tasks") {
  Trainings run;
  run.size("rope", "copy", 16, 1, 0.5);
  run.size("none", "copy", 16, 1, 0.5);
  CHECK(run.said().empty());
  Trainings alone;
  alone.size("rope", "copy", 16, 1, 0.5);
  alone.size("rope", "mqar", 6, 1, 0.5);
  CHECK(alone.said().empty());
}

TEST_CASE("summary: where the table has run off the screen, its end says in short what it says") {
  const Run run;
  CHECK_THAT(run.text(24), !check::contains("in short"));
  CHECK_THAT(run.text(0), !check::contains("in short"));  // no terminal: all of it can be seen
  CHECK_THAT(run.text(12), check::contains("\n  own code  ✓ 1: rope  ✗ 1: none\n\nin full, with reasons:"));
}

TEST_CASE("summary: a run in which all was skipped says why") {
  Run run;
  CHECK_THAT(run.text(0), !check::contains("skipped"));
  for (auto& outcome : run.outcomes) outcome = run::OutcomeSummary{data::Status::skipped, "it has no code", {}, {}};
  CHECK_THAT(run.text(0), check::contains("\nnothing was measured, all that came to an end was skipped\n"
                                          "  uniqueness of none and rope: it has no code\n"));
  run.outcomes[0].reset();  // the run was interrupted
  CHECK_THAT(run.text(0), check::contains("\n  uniqueness of rope: it has no code\n"));
}
