// SPDX-License-Identifier: Apache-2.0
// How often marks that rest on samples are wrong where there is nothing to find, and found where something was planted.
//   test_experiments "[.calibration]"     prints the table of experiments/calibration.md
// Each row of it is 200 seeds: seed s has the repeats s R .. (s + 1) R - 1.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/holm.hpp"
#include "poslab/experiment/tested_answer.hpp"

using namespace poslab;
using data::Answer;
using data::Mark;
using data::Record;
using data::Value;

namespace {

constexpr int seeds = 200;

// The answer of one seed, at an error rate where the experiment's marks have one.
using Answered = std::function<Answer(int seed)>;
using IsMarked = std::function<bool(const Answer&)>;

struct Rate {
  std::string mark, of;  // what is counted, and where
  int repeats;
  IsMarked counts;
  Answered answered;
};

double share_of(const Rate& rate, int count = seeds) {
  int marked = 0;
  for (int seed = 0; seed < count; ++seed) marked += rate.counts(rate.answered(seed));
  return static_cast<double>(marked) / count;
}

IsMarked has(std::vector<Mark> marks) {
  return [marks](const Answer& answer) { return std::find(marks.begin(), marks.end(), answer.mark) != marks.end(); };
}

// Repeats of a cell as they are run.
Answered measured(cells::Cell cell, int repeats, double error_rate = data::family_error_rate) {
  return [=](int seed) {
    std::vector<Record> records;
    cells::Cell here = cell;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      here.repeat = seed * repeats + repeat;
      records.push_back(cells::run(here).record);
    }
    const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
    const data::Values axes = cells::all_axes(cell);
    experiments::Point point{
        experiment.info,
        axes,
        {},
        host::Scheme(cells::plugin(cell.scheme), cell.parameters, cell.model).has_trainable_weights()};
    for (const Record& record : records) point.repeats.push_back(&record);
    const auto definition = experiment.at(axes);
    const auto* by_test = dynamic_cast<const experiments::AnswersByTest*>(definition.get());
    const auto tested = by_test ? by_test->tested(point) : std::nullopt;
    return tested ? tested->at(error_rate) : experiment.answer(point);
  };
}

// What networks would have measured, were they trained: a number for each repeat.
using Draw = std::function<double(const base::Stream& stream, std::uint64_t number)>;
Answered made_up(const cells::Cell& cell, int repeats, const Draw& draw,
                 const std::function<Record(double)>& record_of) {
  return [=](int seed) {
    const base::Stream stream("calibration " + cell.experiment);
    std::vector<Record> records;
    for (int repeat = 0; repeat < repeats; ++repeat)
      records.push_back(record_of(draw(stream, static_cast<std::uint64_t>(seed * repeats + repeat))));
    return cells::answer_to(cell, records);
  };
}

Draw normal(double mean, double deviation) {
  return [=](const base::Stream& stream, std::uint64_t i) { return mean + deviation * stream.normal(i); };
}

// ----------------------------------------------------------------------------------------------------- experiments

cells::Cell first(double noise, double planted) {
  return {"first-position-bias",
          "pair-noise",
          {{"length", Value(std::int64_t{16})}, {"depth", cells::list({2})}},
          {{"noise", Value(noise)}, {"first", Value(planted)}, {"max_length", Value(std::int64_t{16})}},
          {16, 4, 16}};
}

// 200 cells of the quickstart, from which seeds draw theirs with replacement.
struct Pool {
  std::vector<double> scheme, none;
  double factor;  // the ratio of their means
};

Pool pool_of(const std::string& scheme) {
  cells::Cell cell{"first-position-bias",
                   scheme,
                   {{"length", Value(std::int64_t{128})}, {"depth", cells::list({4})}},
                   {},
                   {256, 8, 128}};
  Pool pool;
  double scheme_sum = 0, none_sum = 0;
  for (cell.repeat = 0; cell.repeat < 200; ++cell.repeat) {
    const cells::Answer answer = cells::run(cell);
    pool.scheme.push_back(answer.curve("residual_context_share").back());
    pool.none.push_back(answer.curve("residual_context_share_none").back());
    scheme_sum += pool.scheme.back(), none_sum += pool.none.back();
  }
  pool.factor = scheme_sum / none_sum;
  return pool;
}

// As if the factor of the pool were `factor`.
Answered resampled(const Pool& pool, double factor, int repeats, double error_rate) {
  return [=](int seed) {
    const base::Stream stream("calibration by resampling");
    const data::Values axes = cells::all_axes({"first-position-bias", "none", {{"depth", cells::list({4})}}});
    std::vector<Record> records(static_cast<std::size_t>(repeats));
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const std::uint64_t drawn = stream.below(static_cast<std::uint64_t>(seed * repeats + repeat), pool.none.size());
      Record& record = records[static_cast<std::size_t>(repeat)];
      record.coordinate("depth", {4});
      record.curve("residual_context_share", {"depth"}, {pool.scheme[drawn] * factor / pool.factor});
      record.curve("residual_context_share_none", {"depth"}, {pool.none[drawn]});
      record.coordinate("head", {0});
      record.curve("decay", {"head"}, {0});
    }
    const experiments::Experiment& experiment = experiments::find_experiment("first-position-bias");
    experiments::Point point{experiment.info, axes};
    for (const Record& record : records) point.repeats.push_back(&record);
    const auto definition = experiment.at(axes);
    return dynamic_cast<const experiments::AnswersByTest&>(*definition).tested(point)->at(error_rate);
  };
}

cells::Cell distance(double slope) {
  return {"distance-profile",
          "pair-noise",
          {{"length", Value(std::int64_t{24})}, {"contents", Value(std::int64_t{2})}},
          {{"slope", Value(slope)}, {"max_length", Value(std::int64_t{24})}},
          {16, 2, 24}};
}

cells::Cell beyond(double slope) {
  return {"extrapolation",
          "pair-noise",
          {{"train_length", Value(std::int64_t{16})}, {"multiple", cells::list({1, 2})}},
          {{"slope", Value(slope)}, {"max_length", Value(std::int64_t{64})}},
          {16, 2, 16}};
}

// Yes where the drift at the last position is told from 0.
Answered drifts(const cells::Cell& cell, int repeats) {
  return [=](int seed) {
    std::vector<double> drift;
    cells::Cell here = cell;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      here.repeat = seed * repeats + repeat;
      drift.push_back(cells::run(here).curve("equal_drift").back());
    }
    return Answer{data::differs_from(data::mean_and_error(drift), 0) ? Mark::yes : Mark::cannot_tell, {}, ""};
  };
}

cells::Cell decodable(double strength) {
  return {"decodability",
          "faint-code",
          {{"length", Value(std::int64_t{48})}, {"pairs", Value(std::int64_t{64})}},
          {{"strength", Value(strength)}, {"rows", Value(std::int64_t{48})}},
          {8, 1, 48}};
}

cells::Cell survives(double strength) {
  return {"survival",
          "faint-code",
          {{"length", Value(std::int64_t{12})},
           {"mask", Value(std::string("none"))},
           {"symbols", Value(std::int64_t{8})},
           {"feed_forward", Value(std::int64_t{0})},
           {"sequences", Value(std::int64_t{60})},
           {"held_out", Value(std::int64_t{30})},
           {"depth", cells::list({1})}},
          {{"strength", Value(strength)}, {"rows", Value(std::int64_t{12})}},
          {8, 1, 12}};
}

cells::Cell unpositioned_cell() {
  cells::Cell cell = survives(0);
  cell.scheme = "none", cell.parameters = {};
  return cell;
}

Record loss_record(double rise) {
  Record record;
  record.coordinate("multiple", {1, 2});
  record.curve("loss", {"multiple"}, {1, 1 + rise});
  return record;
}

Record accuracy_record(double accuracy) {
  Record record;
  record.scalar("accuracy_within", 1);
  record.scalar("accuracy_beyond", accuracy);
  record.scalar("best_accuracy", 1);
  return record;
}

const cells::Cell longer{"language-model", "none", {{"multiple", cells::list({1, 2})}}},
    larger{"length-generalisation", "none", {{"size", cells::list({4, 64})}, {"largest", Value(std::int64_t{8})}}};

std::vector<Rate> all_rates() {
  const IsMarked more_or_less = has({Mark::yes, Mark::no}), yes = has({Mark::yes}), no = has({Mark::no}),
                 falls = has({Mark::yes, Mark::partly});
  std::vector<Rate> rates;
  const Pool rope = pool_of("rope"), sinusoid = pool_of("sinusoidal");
  for (const double rows : {1, 3, 11, 80}) {
    const double rate = 0.05 / rows;
    const std::string at = rows == 1 ? ", a row alone" : fmt::format(", the surest of {:.0f} rows", rows);
    rates.push_back({"`first` ✓ or ✗", "noise of 1 for each pair, no position favoured" + at, 40, more_or_less,
                     measured(first(1, 0), 40, rate)});
    rates.push_back({"`first` ✓ or ✗", "noise of 3 for each pair, no position favoured" + at, 40, more_or_less,
                     measured(first(3, 0), 40, rate)});
    rates.push_back(
        {"`first` ✓ or ✗", "RoPE of the quickstart, x 1.000" + at, 40, more_or_less, resampled(rope, 1, 40, rate)});
    rates.push_back({"`first` ✓", "RoPE of the quickstart, x 1.050" + at, 40, yes, resampled(rope, 1.05, 40, rate)});
    rates.push_back(
        {"`first` ✓", "the sinusoid of the quickstart, x 1.050" + at, 40, yes, resampled(sinusoid, 1.05, 40, rate)});
  }
  rates.push_back({"`beyond`: drift", "noise of 1 for each pair, no slope", 10, yes, drifts(beyond(0), 10)});
  rates.push_back({"`beyond`: drift", "a slope of 0.05 a position", 10, yes, drifts(beyond(0.05), 10)});
  rates.push_back({"`distance` ✓ or ~", "noise of 1 for each pair, no slope", 10, falls, measured(distance(0), 10)});
  rates.push_back({"`distance` ✓ or ~", "a slope of 0.04 a position", 10, falls, measured(distance(0.04), 10)});
  rates.push_back({"`distance` ✗", "a slope of 0.04 a position", 10, no, measured(distance(0.04), 10)});
  rates.push_back({"`decodable` ✓ or ~", "codes of noise", 10, falls, measured(decodable(0), 10)});
  rates.push_back({"`decodable` ✓ or ~", "a position of 3.5 times the noise", 10, falls, measured(decodable(3.5), 10)});
  rates.push_back({"`decodable` ✗", "a position of 1.5 times the noise", 10, no, measured(decodable(1.5), 10)});
  rates.push_back({"`survives` ✓ or ~", "no positions and no mask", 10, falls, measured(unpositioned_cell(), 10)});
  rates.push_back(
      {"`survives` ✓ or ~", "codes of noise, which tell positions apart", 10, falls, measured(survives(0), 10)});
  rates.push_back({"`survives` ✗", "codes of noise, which tell positions apart", 10, no, measured(survives(0), 10)});
  rates.push_back({"`longer` ✓ or ✗", "a rise of ln 1.03 in the mean of seeds, deviation 0.02", 5, more_or_less,
                   made_up(longer, 5, normal(std::log(1.03), 0.02), loss_record)});
  rates.push_back({"`longer` ✗", "a rise of ln 1.08, deviation 0.02", 5, no,
                   made_up(longer, 5, normal(std::log(1.08), 0.02), loss_record)});
  rates.push_back({"`larger` ✓ or ✗", "0.9 of tokens right in the mean of seeds, deviation 0.03", 5, more_or_less,
                   made_up(larger, 5, normal(0.9, 0.03), accuracy_record)});
  rates.push_back({"`larger` ✗", "0.8, deviation 0.03", 5, no, made_up(larger, 5, normal(0.8, 0.03), accuracy_record)});
  rates.push_back(
      {"`larger` ✓ or ✗", "seven seeds of eight solve it, one does not at all (mean 0.9)", 5, more_or_less,
       made_up(
           larger, 5, [](const base::Stream& stream, std::uint64_t i) { return stream.uniform(i) < 0.875 ? 1 : 0.2; },
           accuracy_record)});
  return rates;
}

}  // namespace

TEST_CASE("calibration of the marks that rest on samples", "[.calibration]") {
  std::printf("| mark | where | repeats | of %d seeds |\n| --- | --- | --- | --- |\n", seeds);
  for (const Rate& rate : all_rates()) {
    std::printf(
        "%s\n",
        fmt::format("| {} | {} | {} | {:.1f} % |", rate.mark, rate.of, rate.repeats, 100 * share_of(rate)).c_str());
    std::fflush(stdout);
  }
}

TEST_CASE("marks of trained networks: at the bound hardly one in twenty has one, and a clear case nearly all") {
  const auto of = [](const cells::Cell& cell, const Draw& draw, const std::function<Record(double)>& record_of,
                     std::vector<Mark> marks) {
    return share_of({"", "", 5, has(std::move(marks)), made_up(cell, 5, draw, record_of)});
  };
  CHECK(of(longer, normal(std::log(1.03), 0.02), loss_record, {Mark::yes, Mark::no}) <= 0.1);
  CHECK(of(longer, normal(std::log(1.08), 0.02), loss_record, {Mark::no}) >= 0.9);
  CHECK(of(larger, normal(0.9, 0.03), accuracy_record, {Mark::yes, Mark::no}) <= 0.1);
  CHECK(of(larger, normal(0.8, 0.03), accuracy_record, {Mark::no}) >= 0.9);
}
