// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"
#include "sample_catalogue.hpp"

namespace poslab::sample {
namespace {

std::vector<double> counting(double first, double count) {
  std::vector<double> values;
  for (double i = 0; i < count; ++i) values.push_back(first + i);
  return values;
}

std::vector<double> curve(const data::Cell& cell, const std::string& measure, const std::vector<double>& xs) {
  std::vector<double> values;
  for (const double x : xs) values.push_back(made_up(cell, measure, x));
  return values;
}

data::Record uniqueness_record(const data::Cell& cell) {
  data::Record record;
  const std::vector<double> positions = counting(0, static_cast<double>(cell.axes.integer("length")));
  record.coordinate("position", positions);
  record.scalar("min_distance", made_up(cell, "min_distance", 0));
  if (cell.variant.scheme != "learned") record.scalar("collisions", static_cast<double>(cell.axes.integer("length")));
  record.curve("nearest_distance", {"position"}, curve(cell, "nearest_distance", positions));
  return record;
}

data::Record relative_shift_record(const data::Cell& cell) {
  data::Record record;
  const double length = static_cast<double>(cell.axes.integer("length"));
  const auto &shifts = cell.axes.list("shift"), &steps = cell.axes.list("step");
  const std::vector<double> offsets = counting(1 - length, 2 * length - 1);
  record.coordinate("shift", shifts);
  record.coordinate("step", steps);
  record.coordinate("offset", offsets);
  record.scalar("toeplitz_residual", made_up(cell, "toeplitz_residual", 0));
  record.curve("content_error", {"shift"}, curve(cell, "content_error", shifts));
  record.curve("position_spread", {"offset"}, curve(cell, "position_spread", offsets));
  std::vector<double> shares;
  for (const double shift : shifts)
    for (const double step : steps) shares.push_back(made_up(cell, "share", shift + step / 1024));
  record.curve("share", {"shift", "step"}, shares);
  record.scalar("sink", made_up(cell, "sink", 0));
  return record;
}

void add(Run& run, data::Cell cell, data::Outcome outcome) {
  cell.seed = 20261121;
  cell.id = data::identity(cell, "1", "1");
  run.cells.push_back(std::move(cell));
  run.outcomes.push_back(std::move(outcome));
}

void add_uniqueness(Run& run, std::int64_t long_length) {
  for (const data::Variant& variant : variants())
    for (const std::int64_t length : {std::int64_t{4}, std::int64_t{8}, long_length}) {
      data::Cell cell;
      cell.experiment = "uniqueness";
      cell.variant = variant;
      cell.axes = {{"d_model", std::int64_t{8}},
                   {"heads", std::int64_t{2}},
                   {"length", length},
                   {"kind", std::string("position")}};
      data::Outcome outcome;
      if (variant.scheme == "learned" && length > 8) {
        outcome.status = data::Status::skipped;
        outcome.message = "a table of 8 rows has no position 8";
        cell.skip = outcome.message;
      } else {
        outcome.message = variant.scheme == "learned" ? "untrained weights" : "";
        outcome.weights = variant.scheme == "learned" ? data::WeightsState::untrained : data::WeightsState::none;
        outcome.record = uniqueness_record(cell);
        outcome.seconds = 0.25;
      }
      add(run, cell, outcome);
    }
}

void add_relative_shift(Run& run) {
  for (const data::Variant& variant : variants())
    for (const std::int64_t length : {4, 8})
      for (int repeat = 0; repeat < 3; ++repeat) {
        data::Cell cell;
        cell.experiment = "relative-shift";
        cell.variant = variant;
        cell.repeat = repeat;
        const std::vector<double> shifts = length == 4 ? std::vector<double>{1, 100} : std::vector<double>{1, 10, 100};
        cell.axes = {{"d_model", std::int64_t{8}}, {"heads", std::int64_t{2}}, {"length", length},
                     {"residual", length == 8},    {"shift", shifts},          {"step", std::vector<double>{1, 2}}};
        data::Outcome outcome;
        if (variant.scheme == "learned" && length == 8 && repeat == 1) {
          outcome.status = data::Status::failed;
          outcome.message = "logits are nan at query 3 \xE2\x80\x94 caf\xE9";  // the last byte is no UTF-8
        } else {
          outcome.record = relative_shift_record(cell);
        }
        add(run, cell, outcome);
      }
}

}  // namespace

double made_up(const data::Cell& cell, const std::string& measure, double x) {
  const double length = static_cast<double>(cell.axes.integer("length"));
  const double scheme = static_cast<double>(cell.variant.label.size());
  return std::sin(length + 0.1 * scheme + static_cast<double>(cell.repeat) + static_cast<double>(measure.size())) +
         x / 3;
}

Run make_run(std::int64_t long_length) {
  Run run;
  run.description.title = "A made-up run";
  run.description.study_hash = std::string(64, 'a');
  run.description.experiments = {uniqueness(), relative_shift()};
  run.description.schemes = schemes();
  run.description.provenance.texts = {{"study", "title = \"A made-up run\"\n"}, {"argv", "poslab run sample.toml"}};
  add_uniqueness(run, long_length);
  add_relative_shift(run);
  run.description.planned_cells = run.cells.size();
  data::Expectation expectation{"uniqueness",
                                "min_distance",
                                {{"scheme", std::string("none")}, {"length", std::int64_t{4}}},
                                0.5,
                                1e-6,
                                "made up",
                                12};
  data::Expectation difference = expectation;
  difference.gate = data::Gate::at_least, difference.repeats = data::OverRepeats::mean;
  difference.minus = {{"scheme", std::string("none")}};
  run.expectations = {
      {expectation, 0.75, 1, data::Verdict::fails, "measured 0.75, expected 0.5 ± 1e-06"},
      {expectation, std::numeric_limits<double>::quiet_NaN(), 1, data::Verdict::not_measured, "skipped"},
      {difference, 0.75, 2, data::Verdict::holds, "", 0.125}};
  for (data::ExpectationResult& result : run.expectations) data::set_texts(result);
  data::AnswerNumber interval = data::AnswerNumber::exact(2, 3, "x").with_interval(1.5, 3);
  interval.relation = data::Relation::above;
  const std::vector<data::AskedColumn> columns{
      {"uniqueness", {"own code", "", "how many codes are distinct", {{"of 16", "among as many"}}}},
      {"relative-shift", {"relative", "rms", "by how much logits change"}, "mask = causal"}};
  run.answers = data::answer_table(
      columns,
      {{"none",
        "uniqueness",
        {data::Mark::no, {data::AnswerNumber::exact(1, 3, "only").with_unit("of 16")}, "every code is the same"},
        false},
       {"rope",
        "relative-shift",
        {data::Mark::cannot_tell, {data::AnswerNumber::of({3, 0.1, 0.2}), interval}, "too few repeats"},
        true,
        {},
        data::AnswerState::answered,
        "mask = none"}});
  return run;
}

Run make_grid_run() {
  Run run = make_run();
  run.description.title = "A made-up grid";
  run.description.experiments = {uniqueness()};
  run.cells.clear(), run.outcomes.clear(), run.expectations.clear(), run.answers = {};
  const std::int64_t length = 6;
  for (const data::Variant& variant : variants()) {
    data::Cell cell;
    cell.experiment = "uniqueness";
    cell.variant = variant;
    cell.axes = {{"d_model", std::int64_t{8}},
                 {"heads", std::int64_t{2}},
                 {"length", length},
                 {"kind", std::string("position")}};
    cell.placement.policy = data::Placement::Policy::grid;
    cell.placement.extents = {2, 3};
    data::Outcome outcome;
    if (run.cells.size() == 1) {
      outcome.status = data::Status::skipped;
      outcome.message = "one axis only";
      cell.skip = outcome.message;
    } else {
      const std::vector<double> rows{0, 0, 0, 1, 1, 1}, columns{0, 1, 2, 0, 1, 2};
      outcome.record.coordinate("position", counting(0, length));
      outcome.record.position_coordinate("position", "row", rows);
      outcome.record.position_coordinate("position", "column", columns);
      outcome.record.curve("nearest_distance", {"position"}, {0, 1, 2, 10, 11, 12});
    }
    add(run, cell, outcome);
  }
  run.description.planned_cells = run.cells.size();
  return run;
}

std::vector<results::Row> Run::rows() const {
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < cells.size(); ++i) rows.push_back({&cells[i], [this, i] { return outcomes[i]; }});
  return rows;
}

std::size_t Run::find(const std::string& experiment, const std::string& variant, std::int64_t length) const {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].experiment == experiment && cells[i].variant.label == variant &&
        cells[i].axes.integer("length") == length)
      return i;
  throw std::runtime_error("the sample has no such cell");
}

}  // namespace poslab::sample
