// SPDX-License-Identifier: Apache-2.0
// What a causal mask hides, no measure sees: two schemes for that mask alone, which differ only in what they say of
// keys to the right of their query, have the same bits in every measure of every experiment, whatever its axes are.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "catch.hpp"
#include "cells.hpp"

using namespace poslab;
using data::Value;

namespace {

// The record, if the experiment applies.
std::optional<data::Record> record_of(data::Cell cell, bool right) {
  cell.variant.parameters.set("right", Value(right));
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  const auto asked = experiment.at(cell.axes);
  const host::Scheme scheme(cells::plugin("hidden-pairs"), cell.variant.parameters,
                            {cell.axes.integer("d_model"), cell.axes.integer("heads"), asked->model_train_length()});
  if (asked->why_skip({scheme, cell.placement})) return std::nullopt;
  return experiment.run({scheme, cell.axes, data::Draws(20261128, cell.experiment, "hidden-pairs", 0), cell.placement});
}

data::Placement shifted() {
  data::Placement placement;
  placement.policy = data::Placement::Policy::shifted;
  placement.by = 3;
  return placement;
}

// The measures that are not the same bits in both.
std::vector<std::string> seen_in(const data::Record& nothing, const data::Record& something) {
  std::vector<std::string> seen;
  if (cells::bytes_of(nothing) == cells::bytes_of(something)) return seen;
  for (const data::Measurement& of : nothing.measurements()) {
    const data::Measurement* other = something.measurement(of.name);
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    if (!other || !std::ranges::equal(of.values, other->values, same)) seen.push_back(of.name);
  }
  if (seen.empty()) seen.emplace_back("something");
  return seen;
}

// Sequences that are packed behind each other begin at position 0 each: what is right of a query by its position may be
// a token of the sequence before.
bool looks_back_at_later_positions(const data::Cell& cell) {
  const Value* positions = cell.axes.find("train_positions");
  return positions && *positions == Value("packed");
}

// How many cells were measured.
int hold(const experiments::Experiment& experiment, const data::Values& parameters) {
  int measured = 0;
  for (const data::Placement& placement : {data::Placement(), shifted()}) {
    const cases::Scheme scheme{"hidden-pairs", parameters, placement};
    for (const cases::Case& of : cases::cells(experiment, scheme, cases::Size::small, 2, true)) {
      if (looks_back_at_later_positions(of.cell)) continue;
      const std::optional<data::Record> nothing = record_of(of.cell, false), something = record_of(of.cell, true);
      CAPTURE(cases::text(of.cell), parameters.to_json(), placement.text());
      REQUIRE(nothing.has_value() == something.has_value());
      if (!nothing) continue;
      ++measured;
      CHECK(seen_in(*nothing, *something) == std::vector<std::string>());
    }
  }
  return measured;
}

}  // namespace

TEST_CASE("what a causal mask hides, no measure sees") {
  const std::string where = GENERATE("bias", "score", "contextual-score", "mix");
  const bool is_relative = GENERATE(true, false);
  int measured = 0;
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    measured += hold(experiment, {{"where", Value(where)}, {"relative", Value(is_relative)}}) > 0;
  CHECK(measured >= 14);
}
