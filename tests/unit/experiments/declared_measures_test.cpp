// SPDX-License-Identifier: Apache-2.0
// What every experiment declares it fills: each measure somewhere, over the dimensions that were declared. What its
// answers print it explains: each word and unit, whatever the scheme.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "shipped.hpp"

using namespace poslab;
using data::Value;

namespace {

constexpr std::array different_schemes{"sinusoidal", "rope", "alibi", "learned", "shaw", "cope", "none", "value-rope"};

// Smaller than the defaults, by the names of axes.
const std::map<std::string, Value>& small_values() {
  static const std::map<std::string, Value> values{
      {"length", cells::whole(12)},         {"train_length", cells::whole(8)}, {"steps", cells::whole(2)},
      {"batch", cells::whole(2)},           {"warm_up", cells::whole(1)},      {"held_out", cells::whole(3)},
      {"sliding", cells::whole(2)},         {"largest", cells::whole(3)},      {"size", cells::list({2, 3, 5})},
      {"sequences", cells::whole(6)},       {"contents", cells::whole(3)},     {"samples", cells::whole(4)},
      {"pairs", cells::whole(40)},          {"folds", cells::whole(2)},        {"feed_forward", cells::whole(2)},
      {"shuffles", cells::whole(3)},        {"distance", cells::list({1, 2})}, {"times", cells::whole(1)},
      {"multiple", cells::list({1, 2, 4})}, {"step", cells::list({1, 2})}};
  return values;
}

cells::Cell cell_of(const data::ExperimentInfo& info, const char* scheme) {
  cells::Cell cell{info.id, scheme, {}, {}, {16, 2, 12}};
  for (const data::AxisInfo& axis : info.axes)
    if (const auto found = small_values().find(axis.name); found != small_values().end())
      cell.axes.set(axis.name, found->second);
  return cell;
}

// The cell as it is, and with one thing another at a time: each value of each choice, a length, a base.
std::vector<cells::Cell> variations(const data::ExperimentInfo& info, const char* scheme) {
  std::vector<cells::Cell> all{cell_of(info, scheme)};
  const auto with = [&](const std::string& axis, const Value& value) {
    all.push_back(all.front());
    all.back().axes.set(axis, value);
  };
  for (const data::AxisInfo& axis : info.axes) {
    if (axis.name == "task" || axis.name == "keep_weights") continue;
    for (const std::string& choice : axis.choices)
      if (Value(choice) != axis.default_value) with(axis.name, choice);
  }
  if (info.axis("task")) with("task", std::string("even-process"));                         // whose bounds are known
  if (info.axis("length") && !info.axis("feed_forward")) with("length", cells::whole(80));  // more than 4 D
  if (std::string(scheme) == "rope") {
    all.push_back(all.front());
    all.back().parameters.set("base", Value(2.0));  // fast planes, of which the sum is negative soon
  }
  return all;
}

// What a record has over other dimensions than declared, or undeclared: told here; what it has: added to `filled`.
void look_at(const data::Record& record, const data::ExperimentInfo& info, std::set<std::string>& filled) {
  for (const data::Measurement& measurement : record.measurements()) {
    const data::MeasureInfo* declared = info.measure(measurement.name);
    REQUIRE(declared);
    CHECK(measurement.dimensions == declared->dimensions);
    filled.insert(measurement.name);
  }
}

}  // namespace

TEST_CASE("every measure that an experiment declares is filled somewhere, over its dimensions") {
  for (const experiments::Experiment& experiment : experiments::all_experiments()) {
    const data::ExperimentInfo& info = experiment.info;
    CAPTURE(info.id);
    std::set<std::string> filled, declared;
    for (const data::MeasureInfo& measure : info.measures) declared.insert(measure.name);
    for (const char* scheme : different_schemes)
      for (const cells::Cell& cell : variations(info, scheme)) {
        if (filled == declared) break;
        CAPTURE(scheme);
        if (const cells::Answer answer = cells::run(cell); answer.skip.empty()) look_at(answer.record, info, filled);
      }
    std::vector<std::string> never;
    std::set_difference(declared.begin(), declared.end(), filled.begin(), filled.end(), std::back_inserter(never));
    CHECK(never == std::vector<std::string>{});
  }
}

TEST_CASE("every column explains its unit, and words as sentences do") {
  for (const experiments::Experiment& experiment : experiments::all_experiments()) {
    if (!experiment.answers) continue;
    const data::AnswerColumn& column = experiment.column;
    CAPTURE(experiment.info.id);
    if (!column.unit.empty()) CHECK(data::unexplained(column, {column.unit}) == std::vector<std::string>{});
    std::set<std::string> known;
    for (const data::AnswerWord& one : column.words) {
      CHECK(known.insert(one.word).second);
      CHECK(one.meaning.find(' ') != std::string::npos);
      CHECK(one.meaning.back() != '.');
    }
    // Signs are explained once for all columns, in these words.
    CHECK(column.legend.find("partly") == std::string::npos);
    CHECK(column.legend.back() != '.');
  }
  const experiments::Experiment& uniqueness = experiments::find_experiment("uniqueness");
  CHECK_THROWS_AS(cells::explained(uniqueness, {data::Mark::no, {data::AnswerNumber::word("quux")}, ""}),
                  std::logic_error);
  CHECK(experiments::find_experiment("first-position-bias").column.is_description);
  CHECK_FALSE(uniqueness.column.is_description);
}

TEST_CASE("every word and unit that an answer prints is in the legend of its column, whatever the scheme") {
  const std::vector<std::string> schemes = shipped_schemes();
  for (const experiments::Experiment& experiment : experiments::all_experiments()) {
    if (!experiment.answers) continue;
    std::size_t answered = 0;
    const auto ask = [&](const cells::Cell& cell) {
      CAPTURE(experiment.info.id, cell.scheme);
      try {
        answered += !cells::answer_of(cell, 2).sentence.empty();
      } catch (const data::Refused&) {  // this model
      } catch (const std::logic_error& unexplained) {
        FAIL_CHECK(unexplained.what());
      }
    };
    for (const std::string& scheme : schemes) ask(cell_of(experiment.info, scheme.c_str()));
    for (const char* scheme : different_schemes)
      for (const cells::Cell& cell : variations(experiment.info, scheme)) ask(cell);
    CHECK(answered > 0);
  }
}
