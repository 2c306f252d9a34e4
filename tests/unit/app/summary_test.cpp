// SPDX-License-Identifier: Apache-2.0
// What a run ends with: answers, what failed, expectations, the last line.
#include "text/summary.hpp"

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
  CHECK(app::expectations_text({holds, fails}, true) ==
        "\nexpectations: 1 of 2 hold, 1 fail\n  ✓ uniqueness min_distance length=8: 2.25 (expected 2 ± 0.5) [Author "
        "2026]\n"
        "  ✗ uniqueness min_distance length=8: 3 is not 2 ± 0.5\n");
  CHECK(app::expectations_text({holds, fails}, false) ==
        "\nexpectations: 1 of 2 hold, 1 fail\n  ✗ uniqueness min_distance length=8: 3 is not 2 ± 0.5\n");
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
        "\n1 cells ok, 1 skipped, 1 failed, 1 crashed, 1 timeout, 1 of 6 not run in 12 s: a.h5\n");
}

TEST_CASE("summary: failures by experiment and reason; those that were skipped are none") {
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
  data::AnswerTable answers{{{"one", {"first", "", "what"}}, {"two", {"second", "", "what"}}}, {}};
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
  answers.answers.push_back(answer);
  answer.experiment = "two";
  answer.trained = {"trained on copy, 20 steps"};
  answers.answers.push_back(answer);
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
  data::AnswerTable answers{{{info.id, {"loss", "", "what"}}}, {}};
  answers.answers.push_back({"rope", info.id, {data::Mark::yes, {}, ""}});
  const auto text = [&] {
    return app::summary({"", "-a b.h5", cells, catalogue, outcomes, {}, answers, {}, {}}, {80, false}).plain();
  };
  CHECK_THAT(text(), !check::contains("--curve"));
  CHECK_THAT(text(), check::contains("poslab report './-a b.h5'\n"));
  outcomes[1] = run::OutcomeSummary{data::Status::ok, "", {0}, {0}};
  CHECK_THAT(text(), check::contains("poslab summary './-a b.h5' --curve held_out_loss\n"));
}
