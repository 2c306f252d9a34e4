// SPDX-License-Identifier: Apache-2.0
// The C table that the SDK makes of a struct.
#include "attached.hpp"
#include "catch.hpp"
#include "schemes.hpp"

namespace {
using poslab::Operation;

/// A plane or a space, by choice, with a projection that nobody trains.
struct Projected {
  static constexpr poslab::Card card{
      .id = "projected", .title = "Projected", .version = "1", .least_axes = 1, .most_axes = 3};
  int most_axes;
  static constexpr std::tuple params{
      poslab::integer(&Projected::most_axes, "most_axes", 3, poslab::between(2, 4), "how many axes at most")};
  poslab::Traits traits() const { return poslab::Traits().axes(2, most_axes); }
  std::vector<poslab::Weight> weights(const poslab::Model&) const {
    return {poslab::normal("projection", {most_axes}, 1).frozen()};
  }
  template <class S>
  void encode(poslab::Point p, poslab::Row<S> row, poslab::Weights<const S> w) const {
    for (S& channel : row) channel = w[0](0) * S(p[0]) + w[0](1) * S(p[1]);
  }
};

}  // namespace

TEST_CASE("a scheme's table says what its struct says") {
  const poslab_plugin& table = check::table_of<check::Lookup>;
  CHECK(table.size == sizeof(poslab_plugin));
  CHECK(table.major == POSLAB_MAJOR);
  CHECK(table.minor == POSLAB_MINOR);
  CHECK(std::string(table.id) == "lookup");
  CHECK(table.family == POSLAB_FAMILY_ADDITIVE);
  CHECK(table.real_positions == 0);
  REQUIRE(table.parameter_count == 1);
  CHECK(std::string(table.parameters[0]->name) == "rows");
  CHECK(std::string(table.parameters[0]->unit) == "position");
  CHECK(table.parameters[0]->lowest == 1);
  CHECK(table.parameters[0]->highest == 2147483647.0);
  REQUIRE(table.operation_count == POSLAB_OPERATION_COUNT);
  CHECK(table.operations[POSLAB_ENCODE].forward);
  CHECK(table.operations[POSLAB_ENCODE].gradient);
  CHECK_FALSE(table.operations[POSLAB_BIAS].forward);
  CHECK(check::table_of<check::Clipped>.family == POSLAB_FAMILY_BIAS);
  CHECK(check::table_of<check::Shear>.family == POSLAB_FAMILY_ROTARY);
  CHECK(check::table_of<check::Vectors>.family == POSLAB_FAMILY_RELATIVE);
  CHECK(check::table_of<check::Anew>.family == POSLAB_FAMILY_CONTEXTUAL);
}

TEST_CASE("an instance tells what its variant is") {
  const check::Attached lookup(check::table_of<check::Lookup>, 6, 2, {{"rows", 5}});
  CHECK(lookup.instance.lowest_position == 0);
  CHECK(lookup.instance.highest_position == 4);
  CHECK(lookup.instance.logit_scale == 0);
  REQUIRE(lookup.instance.weight_count == 2);
  const poslab_weight& rows = *lookup.instance.weights[0];
  CHECK(std::string(rows.name) == "table");
  CHECK(rows.rank == 2);
  CHECK(rows.shape[0] == 5);
  CHECK(rows.shape[1] == 6);
  CHECK(rows.initialisation == POSLAB_NORMAL);
  CHECK(rows.second == 0.02);
  CHECK(std::string(rows.sentence) == "a row for each position");
  CHECK(lookup.instance.weights[1]->rank == 0);

  const check::Attached rotation(check::table_of<check::LearnedRotation>, 8, 2);
  CHECK(rotation.instance.weights[0]->per_layer == 1);
  CHECK(rotation.instance.lowest_position == -std::numeric_limits<double>::infinity());
  const check::Attached anew(check::table_of<check::Anew>, 8, 2);
  CHECK(anew.instance.score_writes_logits == 1);
  CHECK(anew.instance.logit_scale == 0.25);
  const check::Attached clipped(check::table_of<check::Clipped>, 8, 2);
  CHECK(clipped.instance.claims == (POSLAB_RELATIVE | POSLAB_CONTENT_FREE));
}

TEST_CASE("a variant can serve fewer axes than its scheme, and a weight can be frozen") {
  const check::Attached plane(check::table_of<Projected>, 4, 1, {{"most_axes", 2}});
  CHECK(check::table_of<Projected>.most_axes == 3);
  CHECK(plane.instance.least_axes == 2);
  CHECK(plane.instance.most_axes == 2);
  CHECK(plane.instance.weights[0]->frozen == 1);
  const check::Attached lookup(check::table_of<check::Lookup>, 6, 2, {{"rows", 5}});
  CHECK(lookup.instance.most_axes == 1);
  CHECK(lookup.instance.weights[0]->frozen == 0);
}

TEST_CASE("a variant can lack an operation that its scheme has") {
  const check::Attached both(check::table_of<check::Vectors>, 8, 2);
  const check::Attached keys_only(check::table_of<check::Vectors>, 8, 2, {{"values", 0}});
  CHECK(both.offers(Operation::mix));
  CHECK(keys_only.offers(Operation::score));
  CHECK_FALSE(keys_only.offers(Operation::mix));
}

TEST_CASE("an instance is written only as far as the host reserved it") {
  poslab_instance instance{};
  instance.size = offsetof(poslab_instance, claims);
  instance.claims = 12345;
  poslab_model model{};
  model.size = sizeof model;
  model.model_width = model.head_width = 4;
  model.heads = 1;
  poslab_error error{};
  const poslab_plugin& table = check::table_of<check::Clipped>;
  REQUIRE(table.create(nullptr, &model, &instance, &error) == POSLAB_OK);
  CHECK(instance.claims == 12345);
  CHECK(instance.size == offsetof(poslab_instance, claims));
  CHECK(instance.operations == 1U << POSLAB_BIAS);
  table.destroy(instance.self);
}
