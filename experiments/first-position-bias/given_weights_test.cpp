// SPDX-License-Identifier: Apache-2.0
// Weights that a cell was given take the place of drawn ones, in every experiment that draws some and in every layer.
#include <fmt/format.h>

#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "poslab/data/pack.hpp"

using namespace poslab;
using cells::Index;

namespace {

const cells::Cell of_uniqueness{"uniqueness", "learned", {{"length", data::Value(std::int64_t{8})}}, {}, {16, 2, 8}},
    of_shift{"relative-shift", "t5", {{"length", data::Value(std::int64_t{8})}}, {}, {16, 2, 8}},
    of_profile{"distance-profile", "t5", {{"length", data::Value(std::int64_t{8})}}, {}, {16, 2, 8}},
    of_bias{"first-position-bias",
            "cable",
            {{"length", data::Value(std::int64_t{8})}, {"depth", data::Value(std::vector<double>{1, 3})}},
            {},
            {16, 2, 8}};

host::Scheme scheme_of(const cells::Cell& cell) { return {cells::plugin(cell.scheme), cell.parameters, cell.model}; }
data::Draws draws_of(const cells::Cell& cell) { return {20261121, cell.experiment, cell.scheme, cell.repeat}; }

// The weights that the cell would draw, each number plus `more`, as if somebody had given them.
data::GivenWeights given_to(const cells::Cell& cell, Index layers, double more) {
  const host::Scheme scheme = scheme_of(cell);
  const host::Weights<double> drawn = scheme.draw_weights(draws_of(cell), layers);
  data::GivenWeights given{"given", {}};
  for (std::size_t w = 0; w < scheme.weights().size(); ++w)
    for (std::size_t layer = 0; layer < drawn.arrays()[w].size(); ++layer) {
      const host::WeightInfo& info = scheme.weights()[w];
      const base::Array<double>& array = drawn.arrays()[w][layer];
      std::vector<double> numbers(array.data(), array.data() + array.size());
      for (double& number : numbers) number += more;
      given.arrays.push_back({info.per_layer ? fmt::format("{}/{}", info.name, layer) : info.name,
                              {info.shape.begin(), info.shape.begin() + info.rank},
                              std::move(numbers)});
    }
  return given;
}

// The record, packed: equal bytes are equal numbers.
std::string run_with(const cells::Cell& cell, const data::GivenWeights* given) {
  const experiments::Experiment& experiment = experiments::find_experiment(cell.experiment);
  const data::Values axes = cells::all_axes(cell);
  const host::Scheme scheme = scheme_of(cell);
  const data::Draws draws = draws_of(cell);
  data::Outcome outcome;
  outcome.record =
      experiment.run({scheme, axes, draws, cell.placement, experiments::unwatched(), experiments::no_files(), given});
  return data::pack(outcome);
}

}  // namespace

TEST_CASE("given weights: every experiment takes them, and those that were drawn give what drawing gives") {
  for (const cells::Cell& cell : {of_uniqueness, of_shift, of_profile, of_bias}) {
    INFO(cell.experiment);
    const data::GivenWeights same = given_to(cell, 3, 0), other = given_to(cell, 3, 0.25);
    const std::string drawn = run_with(cell, nullptr);
    CHECK(run_with(cell, &same) == drawn);
    CHECK(run_with(cell, &other) != drawn);
  }
}

TEST_CASE("given weights: a layer takes its own") {
  const data::GivenWeights drawn = given_to(of_bias, 3, 0);
  data::GivenWeights changed = drawn;
  for (data::KeptArray& array : changed.arrays)
    if (array.name.ends_with("/2"))
      for (double& number : std::get<std::vector<double>>(array.values)) number += 0.25;
  CHECK(run_with(of_bias, &changed) != run_with(of_bias, &drawn));
}

TEST_CASE("given weights: what does not fit is a sentence") {
  const host::Scheme scheme = scheme_of(of_bias);
  const data::GivenWeights good = given_to(of_bias, 3, 0);
  CHECK_FALSE(experiments::why_not_weights(scheme, good, 3));
  CHECK_FALSE(experiments::why_not_weights(scheme, good, 1));
  CHECK_THAT(experiments::why_not_weights(scheme, good, 4).value().reason, check::contains("layer 3 was not given"));
  data::GivenWeights bad = good;
  bad.arrays.front().shape.push_back(1);
  CHECK_THAT(experiments::why_not_weights(scheme, bad, 3).value().reason, check::contains("and what was given is"));
  bad = good;
  std::get<std::vector<double>>(bad.arrays.front().values).front() = INFINITY;
  CHECK_THAT(experiments::why_not_weights(scheme, bad, 3).value().reason, check::contains("is inf at number 0"));
  bad = good;
  bad.arrays.front().name = "none/0";
  CHECK_THAT(experiments::why_not_weights(scheme, bad, 3).value().reason, check::contains("has no weight \"none\""));
  CHECK_THROWS_AS(run_with(of_bias, &bad), data::Refused);
}

TEST_CASE("given weights: what is not given is drawn, and the note says so") {
  const host::Scheme scheme = scheme_of(of_uniqueness);
  const data::GivenWeights given = given_to(of_uniqueness, 1, 0), none{"nothing", {}};
  CHECK(experiments::weights_note(scheme, nullptr) == "untrained weights");
  CHECK(experiments::weights_note(scheme, &given) == "given");
  CHECK(experiments::weights_note(scheme, &none) == "nothing; untrained: table");
  CHECK(experiments::draws_weights(scheme, nullptr));
  CHECK(experiments::draws_weights(scheme, &none));
  CHECK_FALSE(experiments::draws_weights(scheme, &given));
  CHECK(run_with(of_uniqueness, &none) == run_with(of_uniqueness, nullptr));
}

TEST_CASE("given weights: of layers with different schemes each array is of a layer, and a shared one of the first") {
  const cells::Cell of_learned{"uniqueness", "learned", {}, {}, {16, 2, 8}},
      of_rope{"uniqueness", "rope", {}, {}, {16, 2, 8}};
  const host::Scheme rope = scheme_of(of_rope), learned = scheme_of(of_learned), cable = scheme_of(of_bias);
  const host::LayerSchemes layers({&rope, &learned, &cable});
  const data::KeptArray table = given_to(of_learned, 1, 0).arrays.front();
  const std::vector<data::KeptArray> of_cable = given_to(of_bias, 6, 0).arrays;  // one in each layer
  const auto why_not = [&](const std::vector<std::pair<const data::KeptArray*, std::string>>& named) {
    data::GivenWeights given{"given", {}};
    for (const auto& [array, name] : named) {
      given.arrays.push_back(*array);
      given.arrays.back().name = name;
    }
    return experiments::why_not_weights(layers, given, 6);
  };
  const std::string weight = cable.weights().front().name;
  REQUIRE(cable.weights().front().per_layer);
  const data::KeptArray &second = of_cable[2], &fifth = of_cable[5];
  REQUIRE(second.name == weight + "/2");
  CHECK_FALSE(why_not({{&table, "table/1"}}));
  CHECK_FALSE(why_not({{&second, weight + "/2"}, {&fifth, weight + "/5"}}));
  CHECK_THAT(why_not({{&second, weight + "/2"}}).value().reason, check::contains("layer 5 was not given"));
  CHECK_THAT(why_not({{&table, "table/4"}}).value().reason, check::contains("layer 1 was not given"));
  CHECK_THAT(why_not({{&table, "table/0"}}).value().reason, check::contains("scheme \"rope\" has no weight \"table\""));
  CHECK_THAT(why_not({{&table, "table"}}).value().reason, check::contains("\"table\" is of no layer"));
  const data::GivenWeights given{"given", {[&] {
                                   data::KeptArray layer_array = table;
                                   layer_array.name = "table/1";
                                   return layer_array;
                                 }()}};
  CHECK_THAT(experiments::weights_note(layers, &given), check::starts_with("given; untrained: " + weight));
  CHECK(experiments::draws_weights(layers, nullptr));
}
