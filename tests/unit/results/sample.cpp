// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <stdexcept>

namespace poslab::sample {
namespace {

using base::Kind;

base::Quantity quantity(const char* name, Kind kind, const char* unit, const char* sentence) {
  base::Quantity result;
  result.name = name;
  result.kind = kind;
  result.unit = unit;
  result.sentence = sentence;
  return result;
}

base::AxisInfo axis(const char* name, Kind kind, const char* unit, const char* sentence, bool inner = false) {
  base::AxisInfo result;
  static_cast<base::Quantity&>(result) = quantity(name, kind, unit, sentence);
  result.inner = inner;
  return result;
}

base::ExperimentInfo uniqueness() {
  base::ExperimentInfo info;
  info.id = "uniqueness";
  info.version = "1";
  info.title = "Uniqueness";
  info.question = "Does every position have its own code?";
  info.axes = {axis("length", Kind::integer, "position", "number of positions"),
               axis("kind", Kind::choice, "1", "which signatures")};
  info.dimensions = {{"position", "position", "position of the signature"}};
  info.measures = {{"min_distance",
                    {},
                    "1",
                    "least distance of two signatures",
                    "min |phi(p) - phi(q)|",
                    "0",
                    {0, 1e-12, 0, 0, false}},
                   {"collisions", {}, "pairs", "pairs of equal signatures", "#{p < q : ...}", "N(N-1)/2", {}},
                   {"nearest_distance",
                    {"position"},
                    "1",
                    "distance to the nearest signature",
                    "min over q",
                    "0",
                    {0, 1e-12, 0, 0, false}}};
  return info;
}

base::ExperimentInfo relative_shift() {
  base::ExperimentInfo info;
  info.id = "relative-shift";
  info.version = "1";
  info.title = "Relative shift";
  info.question = "Do scores depend on m - n only?";
  info.axes = {axis("length", Kind::integer, "position", "number of positions"),
               axis("residual", Kind::flag, "1", "whether the input is added"),
               axis("shift", Kind::list, "position", "by how much both positions are moved", true),
               axis("step", Kind::list, "position", "step of the linear map", true)};
  info.dimensions = {{"offset", "position", "query position minus key position"}};
  info.draws_contents = true;
  info.measures = {{"toeplitz_residual",
                    {},
                    "1",
                    "largest spread along a diagonal",
                    "max of position_spread",
                    "0",
                    {0, 0, 0, 1e-12, false}},
                   {"content_error",
                    {"shift"},
                    "1",
                    "change of the logits",
                    "max |s(m + t, n + t) - s(m, n)|",
                    "0",
                    {1e-13, 0, 4e-16, 0, false}},
                   {"position_spread",
                    {"offset"},
                    "1",
                    "spread of the score along a diagonal",
                    "max - min",
                    "0",
                    {0, 0, 0, 1e-12, false}},
                   {"share", {"shift", "step"}, "1", "a curve over two dimensions", "made up", "0", {0, 0, 0, 0, true}},
                   {"sink", {}, "1", "a statistical measure with a bound", "made up", "0", {1e-12, 0, 0, 0, true}}};
  return info;
}

std::vector<base::SchemeInfo> schemes() {
  const auto scheme = [](const char* id, base::Family family, std::vector<base::Quantity> parameters) {
    base::SchemeInfo info;
    info.id = id;
    info.version = "1";
    info.family = family;
    info.parameters = std::move(parameters);
    return info;
  };
  return {
      scheme("none", base::Family::none, {}),
      scheme("sinusoidal", base::Family::additive, {quantity("base", Kind::real, "1", "base of the wavelengths")}),
      scheme(
          "rope", base::Family::rotary,
          {quantity("base", Kind::real, "1", "base of the angles"), quantity("style", Kind::choice, "1", "pairing")}),
      scheme("learned", base::Family::additive, {quantity("length", Kind::integer, "position", "rows of the table")})};
}

std::vector<base::Variant> variants() {
  return {{"none", "none", {}, {}},
          {"sinusoidal", "sinusoidal", {{"base", 10000.0}}, {}},
          {"rope",
           "rope(style=half-split, base=10000.0)",
           {{"base", 1e4}, {"style", std::string("half-split")}},
           {"base", "style"}},
          {"rope",
           "rope(style=half-split, base=500000.0)",
           {{"base", 5e5}, {"style", std::string("half-split")}},
           {"base", "style"}},
          {"learned", "learned(length=8)", {{"length", std::int64_t{8}}}, {"length"}}};
}

std::vector<double> counting(double first, double count) {
  std::vector<double> values;
  for (double i = 0; i < count; ++i) values.push_back(first + i);
  return values;
}

std::vector<double> curve(const base::Cell& cell, const std::string& measure, const std::vector<double>& xs) {
  std::vector<double> values;
  for (const double x : xs) values.push_back(made_up(cell, measure, x));
  return values;
}

base::Record uniqueness_record(const base::Cell& cell) {
  base::Record record;
  const std::vector<double> positions = counting(0, static_cast<double>(cell.axes.integer("length")));
  record.coordinate("position", positions);
  record.scalar("min_distance", made_up(cell, "min_distance", 0));
  if (cell.variant.scheme != "learned") record.scalar("collisions", static_cast<double>(cell.axes.integer("length")));
  record.curve("nearest_distance", {"position"}, curve(cell, "nearest_distance", positions));
  return record;
}

base::Record relative_shift_record(const base::Cell& cell) {
  base::Record record;
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

void add(Run& run, base::Cell cell, base::Outcome outcome) {
  cell.seed = 20261121;
  cell.id = base::identity(cell, "1", "1");
  run.cells.push_back(std::move(cell));
  run.outcomes.push_back(std::move(outcome));
}

void add_uniqueness(Run& run, std::int64_t long_length) {
  for (const base::Variant& variant : variants())
    for (const std::int64_t length : {std::int64_t{4}, std::int64_t{8}, long_length}) {
      base::Cell cell;
      cell.experiment = "uniqueness";
      cell.variant = variant;
      cell.axes = {{"d_model", std::int64_t{8}},
                   {"heads", std::int64_t{2}},
                   {"length", length},
                   {"kind", std::string("position")}};
      base::Outcome outcome;
      if (variant.scheme == "learned" && length > 8) {
        outcome.status = base::Status::skipped;
        outcome.message = cell.skip = "a table of 8 rows has no position 8";
      } else {
        outcome.message = variant.scheme == "learned" ? "untrained weights" : "";
        outcome.record = uniqueness_record(cell);
        outcome.seconds = 0.25;
      }
      add(run, cell, outcome);
    }
}

void add_relative_shift(Run& run) {
  for (const base::Variant& variant : variants())
    for (const std::int64_t length : {4, 8})
      for (int repeat = 0; repeat < 3; ++repeat) {
        base::Cell cell;
        cell.experiment = "relative-shift";
        cell.variant = variant;
        cell.repeat = repeat;
        const std::vector<double> shifts = length == 4 ? std::vector<double>{1, 100} : std::vector<double>{1, 10, 100};
        cell.axes = {{"d_model", std::int64_t{8}}, {"heads", std::int64_t{2}}, {"length", length},
                     {"residual", length == 8},    {"shift", shifts},          {"step", std::vector<double>{1, 2}}};
        base::Outcome outcome;
        if (variant.scheme == "learned" && length == 8 && repeat == 1) {
          outcome.status = base::Status::failed;
          outcome.message = "logits are nan at query 3 \xE2\x80\x94 caf\xE9";  // the last byte is no UTF-8
        } else {
          outcome.record = relative_shift_record(cell);
        }
        add(run, cell, outcome);
      }
}

}  // namespace

double made_up(const base::Cell& cell, const std::string& measure, double x) {
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
  base::Expectation expectation{"uniqueness",
                                "min_distance",
                                {{"scheme", std::string("none")}, {"length", std::int64_t{4}}},
                                0.5,
                                1e-6,
                                "made up",
                                12};
  run.expectations = {
      {expectation, 0.75, 1, base::Verdict::fails, "measured 0.75, expected 0.5 within 1e-06"},
      {expectation, std::numeric_limits<double>::quiet_NaN(), 1, base::Verdict::not_measured, "skipped"}};
  return run;
}

Run make_grid_run() {
  Run run = make_run();
  run.description.title = "A made-up grid";
  run.description.experiments = {uniqueness()};
  run.cells.clear(), run.outcomes.clear(), run.expectations.clear();
  const std::int64_t length = 6;
  for (const base::Variant& variant : variants()) {
    base::Cell cell;
    cell.experiment = "uniqueness";
    cell.variant = variant;
    cell.axes = {{"d_model", std::int64_t{8}},
                 {"heads", std::int64_t{2}},
                 {"length", length},
                 {"kind", std::string("position")}};
    cell.placement.policy = base::Placement::Policy::grid;
    cell.placement.extents = {2, 3};
    base::Outcome outcome;
    if (run.cells.size() == 1) {
      outcome.status = base::Status::skipped;
      outcome.message = cell.skip = "one axis only";
    } else {
      const std::vector<double> rows{0, 0, 0, 1, 1, 1}, columns{0, 1, 2, 0, 1, 2};
      outcome.record.coordinate("position", counting(0, length));
      outcome.record.place("position", "row", rows);
      outcome.record.place("position", "column", columns);
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

Directory::Directory() {
  std::string name = (std::filesystem::temp_directory_path() / "poslab-results-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
  path_ = name;
}

Directory::~Directory() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

std::vector<std::string> Directory::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace poslab::sample
