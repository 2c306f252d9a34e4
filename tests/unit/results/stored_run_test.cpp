// SPDX-License-Identifier: Apache-2.0
// A results file read back for a screen.
#include "poslab/results/stored_run.hpp"

#include <cmath>

#include "catch.hpp"
#include "h5/dataset.hpp"
#include "sample.hpp"

using namespace poslab;

TEST_CASE("a stored run has its cells, scalars and last values along inner axes") {
  const sample::Directory directory;
  const sample::Run run = sample::make_run();
  run.write(directory / "a.h5");
  const results::StoredRun stored = results::read_run(directory / "a.h5");
  CHECK(stored.title == run.description.title);
  CHECK(stored.complete);
  CHECK(stored.planned_cells == run.cells.size());
  REQUIRE(stored.cells.size() == run.cells.size());
  REQUIRE(stored.experiments.size() == 2);
  std::size_t scalars = 0, last_values = 0;
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    const results::StoredCell& cell = stored.cells[i];
    CHECK(cell.cell.id == run.cells[i].id);
    CHECK(cell.cell.variant.label == run.cells[i].variant.label);
    CHECK(cell.cell.repeat == run.cells[i].repeat);
    CHECK(cell.status == run.outcomes[i].status);
    const auto& info = stored.experiments[cell.cell.experiment == "uniqueness" ? 0 : 1];
    CHECK(info.id == run.cells[i].experiment);
    if (cell.status != data::Status::ok) {
      CHECK(cell.last.empty());
      continue;
    }
    REQUIRE(cell.last.size() == info.measures.size());
    for (std::size_t m = 0; m < info.measures.size(); ++m) {
      const data::Measurement* written = run.outcomes[i].record.measurement(info.measures[m].name);
      const bool inner = info.measures[m].dimensions.size() == 1 && info.axis(info.measures[m].dimensions[0]);
      if (!info.measures[m].dimensions.empty() && !inner) {
        CHECK(std::isnan(cell.last[m]));
        continue;
      }
      ++(inner ? last_values : scalars);
      if (!written || std::isnan(written->values.back()))
        CHECK(std::isnan(cell.last[m]));
      else
        CHECK(cell.last[m] == written->values.back());
      if (!written || std::isnan(written->values.front()))
        CHECK(std::isnan(cell.first[m]));
      else
        CHECK(cell.first[m] == written->values.front());
      if (inner && written)
        CHECK(cell.at[m] == run.outcomes[i].record.coordinate_of(info.measures[m].dimensions[0])->values.back());
      else
        CHECK(std::isnan(cell.at[m]));
    }
  }
  CHECK(scalars > 10);
  CHECK(last_values > 10);
}

TEST_CASE("a stored run has its answers and expectations") {
  const sample::Directory directory;
  const sample::Run run = sample::make_run();
  run.write(directory / "a.h5");
  const results::StoredRun stored = results::read_run(directory / "a.h5");
  CHECK(stored.answers.columns == run.answers.columns);
  CHECK(stored.answers.rows == run.answers.rows);
  CHECK(stored.answers.signs == run.answers.signs);
  CHECK(stored.answers.columns[0].legend_text() == "how many codes are distinct; of 16: among as many");
  CHECK(stored.answers.columns[1].legend_text() == "by how much logits change; numbers at mask = causal");
  REQUIRE(stored.answers.answers.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(stored.answers.answers[i].answer.numbers == run.answers.answers[i].answer.numbers);
  CHECK(stored.answers.answers[1].text == "0.1 ± 0.2, x > 2.0 [1.5, 3.0] at mask = none");
  CHECK(stored.answers.answers[1].compact == run.answers.answers[1].compact);
  CHECK(stored.answers.answers[1].answer.mark == data::Mark::cannot_tell);
  CHECK(stored.answers.answers[1].untrained);
  CHECK_FALSE(stored.answers.answers[0].untrained);
  CHECK(stored.answers.answers[0].answer.sentence == "every code is the same");
  REQUIRE(stored.expectations.size() == 3);
  CHECK(stored.expectations[0].verdict == data::Verdict::fails);
  CHECK(stored.expectations[0].measured == 0.75);
  CHECK(stored.expectations[0].expectation.gate == data::Gate::within);
  CHECK(std::isnan(stored.expectations[0].error));
  CHECK(stored.expectations[2].expectation.gate == data::Gate::at_least);
  CHECK(stored.expectations[2].expectation.repeats == data::OverRepeats::mean);
  CHECK(stored.expectations[2].expectation.minus.text("scheme") == "none");
  CHECK(stored.expectations[0].subject == "min_distance scheme=none length=4");
  CHECK(stored.expectations[0].expectation.line == 12);
  CHECK(stored.expectations[2].error == 0.125);
}

TEST_CASE("a stored answer says on what its weights were trained") {
  const sample::Directory directory;
  sample::Run run = sample::make_run();
  run.answers.answers[1].trained = {"trained on copy, 2000 steps", "trained on sort; or not, 50 steps"};
  run.answers.answers[1].state = data::AnswerState::not_run;
  run.answers.answers[1].point = "mask = causal";
  run.write(directory / "a.h5");
  const results::StoredRun stored = results::read_run(directory / "a.h5");
  CHECK(stored.answers.answers[1].trained == run.answers.answers[1].trained);
  CHECK(stored.answers.answers[1].state == data::AnswerState::not_run);
  CHECK(stored.answers.answers[1].point == "mask = causal");
  CHECK(stored.answers.answers[0].trained.empty());
}

TEST_CASE("an answer with a mark that there is not is a damaged file") {
  const sample::Directory directory;
  sample::Run run = sample::make_run();
  run.answers.answers[1].answer.mark = static_cast<data::Mark>(9);
  run.write(directory / "a.h5");
  CHECK_THROWS_WITH(results::read_run(directory / "a.h5"), check::contains("has a mark that is 9"));
}
