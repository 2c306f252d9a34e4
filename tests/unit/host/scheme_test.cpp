// SPDX-License-Identifier: Apache-2.0
// A variant's life: parameters in, facts out, weights drawn. The toy (tests/faults/toy.c) echoes what it was given.
#include "poslab/host/scheme.hpp"
#include "poslab/host/scheme_errors.hpp"

#include "catch.hpp"
#include "faults.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/library.hpp"

using namespace poslab;
using data::Value;

namespace {

const host::Model model{8, 2, 16};

std::shared_ptr<const host::Plugin> toy_plugin() { return host::Plugin::open(test::fault("toy")); }

std::vector<double> echo(const data::Values& parameters) {
  const host::Scheme scheme(toy_plugin(), parameters, model);
  const auto told = scheme.inverse_frequency();
  return {told.begin(), told.end()};
}

}  // namespace

TEST_CASE("parameters of every kind cross the boundary, and missing ones take their defaults") {
  CHECK(echo({}) == std::vector<double>{0.5, 0, -1, 1, 1.5, 2.5});
  CHECK(echo({{"list", Value(std::vector<double>{7})},
              {"flip", Value(false)},
              {"limit", Value(std::int64_t{5})},
              {"mode", Value("masks")},
              {"gain", Value(std::int64_t{2})}}) == std::vector<double>{2, 7, 5, 0, 7});
  const host::Scheme scheme(toy_plugin(), {{"gain", Value(std::int64_t{2})}}, model);
  CHECK(scheme.parameters().to_json() ==
        R"({"gain": 2.0, "mode": "plain", "limit": null, "flip": true, "list": [1.5, 2.5]})");
}

TEST_CASE("values outside their declared range never reach the plugin") {
  const auto why = [&](const char* name, const Value& value) {
    try {
      host::Scheme(toy_plugin(), {{name, value}}, model);
    } catch (const data::Refused& refused) {
      return std::string("refused by the plugin: ") + refused.what();
    } catch (const base::Error& error) {
      CHECK(error.kind == base::Error::Kind::request);
      CHECK_THAT(error.what(), check::contains("scheme \"toy\"") && check::contains(name));
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(why("gain", 0.0) == "scheme \"toy\": \"gain\" is 0, but must be greater than 0 and at most 10");
  CHECK_THAT(why("gain", std::nan("")), check::contains("\"gain\" is nan"));
  CHECK_THAT(why("list", std::vector<double>{1, -1}), check::contains("entry 2 of \"list\" is -1"));
  CHECK_THAT(why("mode", "plane"), check::contains("must be one of plain, refuse"));
  CHECK_THAT(why("limit", 2.5), check::contains("an integer"));
  CHECK_THAT(why("gein", 1.0), check::contains("has no parameter \"gein\"; did you mean \"gain\"?"));
}

TEST_CASE("a variant tells its facts") {
  const host::Scheme scheme(toy_plugin(), {}, model);
  for (const host::Operation operation : host::all_operations) CHECK(scheme.has(operation));
  CHECK(scheme.claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme.claims(POSLAB_ISOMETRY));
  CHECK(scheme.mask() == host::Mask::causal_only);
  CHECK_FALSE(scheme.why_not_mask(true));
  CHECK_THAT(scheme.why_not_mask(false).value().reason, check::contains("causal mask only"));
  CHECK(scheme.looks_at_positions());
  const host::Context context = scheme.context(5);
  CHECK(context.length == 5);
  CHECK(context.train_length == 16);
  CHECK(context.causal);
  CHECK(scheme.logit_scale() == 0.25);
  CHECK(scheme.draws_weights());
  REQUIRE(scheme.weights().size() == 2);
  CHECK(scheme.weights()[0].name == "shift");
  CHECK(scheme.weights()[0].shape[0] == 8);
  CHECK_FALSE(scheme.weights()[0].per_layer);
  CHECK(scheme.weights()[1].per_layer);
}

TEST_CASE("a scheme without operations looks at no positions, and needs no causal mask") {
  const host::Scheme none(host::Plugin::open(POSLAB_PLUGIN_DIR "/none.so"), {}, model);
  CHECK_FALSE(none.looks_at_positions());
  CHECK_FALSE(none.context(5).causal);
  const host::Scheme rope(host::Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), {}, model);
  CHECK(rope.looks_at_positions());
  CHECK_FALSE(rope.context(5).causal);
}

TEST_CASE("what a plugin or a model cannot serve") {
  const auto make = [&](const char* mode, host::Model m) { host::Scheme(toy_plugin(), {{"mode", Value(mode)}}, m); };
  CHECK_THROWS_AS(make("refuse", model), data::Refused);
  CHECK_THROWS_WITH(make("refuse", model), "scheme \"toy\": this toy is refused");
  CHECK_THROWS_WITH(make("plain", {10, 4, 16}), "scheme \"toy\": 4 heads do not divide the model width 10");
  CHECK_THROWS_WITH(make("plain", {0, 4, 16}), check::contains("model width is 0"));
  CHECK_THROWS_WITH(make("plain", {8, 0, 16}), check::contains("0 heads"));
  CHECK_THROWS_WITH(make("broken_instance", model),
                    "scheme \"toy\": malformed instance: it offers an unknown operation");
  try {
    make("broken_instance", model);
  } catch (const host::Malformed& broken) {
    CHECK(broken.declared == host::Malformed::What::instance);
    CHECK(broken.rule == "it offers an unknown operation");
  }
}

TEST_CASE("positions that a variant cannot serve are named, with the limit") {
  const host::Scheme bounded(toy_plugin(), {{"limit", Value(std::int64_t{5})}}, model), open(toy_plugin(), {}, model);
  const auto require = [](const host::Scheme& scheme, std::vector<double> p) {
    scheme.require_positions(host::Positions(p.data(), {static_cast<base::Index>(p.size()), 1}));
  };
  CHECK_NOTHROW(require(bounded, {0, 1, 5}));
  CHECK_NOTHROW(require(open, {-1e12, 1e12}));
  CHECK_NOTHROW(require(open, {}));
  CHECK_THROWS_AS(require(bounded, {0, 6}), data::PositionOutOfRange);
  CHECK_THROWS_WITH(require(bounded, {0, 6}), "scheme \"toy\" serves positions 0 to 5, but position 6 is asked for");
  CHECK_THROWS_WITH(require(bounded, {-1, 6}), check::contains("position -1 is asked for"));
  CHECK_THROWS_WITH(require(open, {1, 2.5}), check::contains("whole positions only, but position 2.5"));
  CHECK_THROWS_WITH(require(open, {1, std::nan("")}), check::contains("the position nan"));
  CHECK_THROWS_WITH(require(open, {1, INFINITY}), check::contains("the position inf"));
  CHECK_FALSE(bounded.why_not_positions(0, 5));
  CHECK(bounded.why_not_positions(0, 511).value().reason ==
        "scheme \"toy\" serves positions 0 to 5, but position 511 is asked for");
  const std::vector<double> cube(6);
  CHECK_THROWS_AS(open.require_positions(host::Positions(cube.data(), {2, 3})), data::Refused);
  CHECK_THROWS_WITH(open.require_positions(host::Positions(cube.data(), {2, 3})),
                    "scheme \"toy\" serves positions of 1 to 2 axes, not of 3");
}

TEST_CASE("weights are drawn as declared, entry i from number i of their own stream") {
  const host::Scheme scheme(toy_plugin(), {}, model);
  const data::Draws draws(7, "uniqueness", "toy", 0), other(8, "uniqueness", "toy", 0);
  const std::vector<base::Index> eight{8}, two{2};
  const auto weights = scheme.draw_weights(draws, 3);
  const auto first = weights.layer(0), last = weights.layer(2);
  CHECK(first[0].data == last[0].data);  // shared by all layers
  CHECK(first[1].data != last[1].data);
  for (base::Index i = 0; i < 8; ++i)
    CHECK(first[0](i) == 1 + 2 * draws.weights("shift", eight, 0).normal(static_cast<std::uint64_t>(i)));
  for (base::Index i = 0; i < 2; ++i) {
    CHECK(last[1](i) == 3 + draws.weights("slope", two, 2).uniform(static_cast<std::uint64_t>(i)));
    CHECK(first[1](i) != last[1](i));
  }
  CHECK(scheme.draw_weights(draws, 1).layer(0)[1](0) == first[1](0));
  CHECK(scheme.draw_weights(other).layer(0)[0](0) != first[0](0));
  CHECK_THROWS_AS(weights.layer(3), base::Error);
}
