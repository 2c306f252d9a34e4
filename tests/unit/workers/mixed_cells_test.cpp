// SPDX-License-Identifier: Apache-2.0
// Cells of variants that have a scheme for each layer.
#include "catch.hpp"
#include "cells.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/mixed.hpp"
#include "poslab/experiment/attempt.hpp"
#include "poslab/workers/cell_runner.hpp"

using namespace poslab;
using cells::list;
using cells::whole;

namespace {

data::Values axes_of(const std::string& experiment) {
  data::Values some{{"length", whole(16)}, {"depth", list({1, 4})}};
  if (experiment == "survival") some = {{"length", whole(8)}, {"sequences", whole(12)}, {"held_out", whole(5)}};
  if (experiment == "language-model")
    some = {{"train_length", whole(16)}, {"steps", whole(3)},   {"layers", whole(4)},
            {"batch", whole(2)},         {"warm_up", whole(1)}, {"keep_weights", data::Value(true)}};
  return cells::all_axes({experiment, "none", some, {}, {16, 2, 16}});
}

data::Cell cell(const std::string& experiment, const std::vector<data::LayerVariant>& layers) {
  data::Cell one;
  one.experiment = experiment;
  one.variant = {"mixed", "mixed", {{data::by_layer, data::by_layer_text(layers)}}, {}, layers};
  one.axes = axes_of(experiment);
  return one;
}

data::Cell plain(const std::string& experiment, const data::LayerVariant& variant) {
  data::Cell one = cell(experiment, {});
  one.variant = {variant.scheme, variant.scheme, variant.parameters, {}};
  return one;
}

data::Outcome performed(const data::Cell& one) {
  host::Plugins plugins;
  for (const char* id : {"none", "rope", "alibi", "t5", "shaw", "learned"})
    plugins.register_scheme(cells::plugin(id)->info());
  workers::CellRunner runner(plugins);
  data::Cell asked = one;
  return runner.perform(asked, experiments::unwatched()).outcome;
}

std::string record_of(const data::Cell& one) {
  const data::Outcome outcome = performed(one);
  INFO(outcome.message);
  REQUIRE(outcome.status == data::Status::ok);
  return cells::bytes_of(outcome.record);
}

}  // namespace

TEST_CASE("layers that all have one variant give that variant's record, to the bit") {
  for (const char* experiment : {"first-position-bias", "survival", "order-sensitivity"})
    for (const char* id : {"rope", "none", "alibi", "t5", "shaw", "learned"}) {
      CAPTURE(experiment, id);
      const data::LayerVariant one{id, {}};
      CHECK((record_of(cell(experiment, {one, one})) == record_of(plain(experiment, one))));
    }
  for (const char* experiment : {"first-position-bias", "survival", "order-sensitivity"})
    CHECK((record_of(cell(experiment, {{"rope", {}}, {"none", {}}})) != record_of(plain(experiment, {"rope", {}}))));
}

TEST_CASE("an experiment that looks at one scheme is skipped for several, and the sentence says what to do") {
  host::Plugins plugins;
  for (const char* id : {"none", "rope"}) plugins.register_scheme(cells::plugin(id)->info());
  workers::CellRunner runner(plugins);
  const auto skip = [&](const char* experiment) {
    data::Cell one = cell(experiment, {{"rope", {}}, {"none", {}}});
    one.variant.label = "3 rope, none";
    return base::reason_of(runner.forecast(one).skip);
  };
  CHECK(skip("uniqueness") ==
        "uniqueness looks at one scheme, and 3 rope, none has one for each layer; give each of them a [[scheme]] of "
        "its own");
  for (const char* takes : {"first-position-bias", "survival", "order-sensitivity"}) CHECK(skip(takes).empty());
  const data::Outcome outcome = performed(cell("uniqueness", {{"rope", {}}, {"none", {}}}));
  CHECK(outcome.status == data::Status::failed);
}
