// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/refusal.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Index;
using check::Value;

namespace {

constexpr Index D = 6;
const host::Context context{4, 512, true};

Value whole(std::int64_t i) { return i; }

}  // namespace

TEMPLATE_TEST_CASE("learned: a position's code is its row", "", float, double) {
  using S = TestType;
  const Index offset = GENERATE(0, 2);
  const bool unit_rows = GENERATE(false, true);
  const auto scheme = check::scheme("learned",
                                    {{"max_length", whole(5)},
                                     {"row_offset", whole(offset)},
                                     {"output_scale", Value(1.5)},
                                     {"unit_rows", Value(unit_rows)}},
                                    {D, 2, 512});
  const auto weights = check::random_weights<S>(*scheme, "table");
  const auto positions = check::positions({4, 0, static_cast<double>(-offset), 2});
  base::Array<S> out({4, D});
  scheme->encode<S>(context, positions, weights.layer(0), out);
  const auto& table = weights.arrays()[0][0];
  CHECK(table.extent(0) == 5 + offset);
  for (Index n = 0; n < 4; ++n) {
    const Index row = static_cast<Index>(positions(n, 0)) + offset;
    double squares = 0;
    for (Index c = 0; c < D; ++c) squares += static_cast<double>(table(row, c)) * static_cast<double>(table(row, c));
    for (Index c = 0; c < D; ++c) {
      const double wanted = 1.5 * static_cast<double>(table(row, c)) / (unit_rows ? std::sqrt(squares) : 1);
      CHECK_THAT(static_cast<double>(out(n, c)), check::WithinAbs(wanted, 4 * std::numeric_limits<S>::epsilon()));
    }
  }
}

TEST_CASE("learned: as many rows as the train length, unless max_length says otherwise, and nothing beyond") {
  const auto scheme = check::scheme("learned", {}, {D, 2, 24}),
             longer = check::scheme("learned", {{"max_length", whole(100)}}, {D, 2, 24});
  CHECK(scheme->weights()[0].shape[0] == 24);
  CHECK(scheme->highest_position() == 23);
  CHECK(longer->weights()[0].shape[0] == 100);
  const auto weights = check::random_weights(*scheme, "table");
  base::Array<double> out({1, D});
  CHECK_NOTHROW(scheme->encode<double>(context, check::positions({23}), weights.layer(0), out));
  CHECK_THROWS_AS(scheme->encode<double>(context, check::positions({24}), weights.layer(0), out),
                  data::PositionOutOfRange);
  CHECK_THROWS_WITH(scheme->encode<double>(context, check::positions({24}), weights.layer(0), out),
                    check::contains("positions 0 to 23, but position 24"));
  CHECK_THROWS_AS(scheme->encode<double>(context, check::positions({-1}), weights.layer(0), out),
                  data::PositionOutOfRange);
  CHECK_THROWS_AS(scheme->encode<double>(context, check::positions({0.5}), weights.layer(0), out),
                  data::PositionOutOfRange);
}

TEST_CASE("learned: initial rows, claims") {
  const auto scheme = check::scheme("learned", {{"init_std", Value(0.5)}}, {64, 2, 512});
  CHECK(scheme->weights()[0].initialisation == POSLAB_NORMAL);
  CHECK_FALSE(scheme->weights()[0].per_layer);
  const auto weights = scheme->draw_weights(data::Draws(1, "test", "learned", 0));
  double squares = 0;
  for (const double x : weights.arrays()[0][0].flat()) squares += x * x;
  CHECK_THAT(squares / (64 * 512), check::WithinRel(0.25, 0.03));  // 5 standard errors
  CHECK(scheme->draws_weights());
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_LENGTH_FREE));  // it has as many rows as the train length
  CHECK(check::scheme("learned", {{"max_length", whole(5)}}, {64, 2, 512})->claims(POSLAB_LENGTH_FREE));
  CHECK(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_CONSTANT_NORM));
}

TEST_CASE("learned: a unit row of zeros stays one, and its gradient is finite") {
  const data::Values parameters{{"max_length", whole(5)}, {"unit_rows", Value(true)}};
  for (const auto& scheme :
       {check::scheme("learned", parameters, {D, 2, 512}), check::derived("learned", parameters, {D, 2, 512})}) {
    const host::Weights<double> zeros(scheme->weights(), 1);
    host::Weights<double> gradient(scheme->weights(), 1);
    base::Array<double> out({1, D});
    out.fill(1);
    scheme->encode<double>(context, check::positions({3}), zeros.layer(0), out);
    for (const double x : out.flat()) CHECK(x == 0);
    scheme->encode_gradient<double>(context, check::positions({3}), zeros.layer(0), check::random({1, D}, "g"),
                                    gradient.layer(0));
    for (const double x : gradient.arrays()[0][0].flat()) CHECK(std::isfinite(x));
  }
}

TEST_CASE("learned: its gradient is that of central differences, and the derived one") {
  const bool unit_rows = GENERATE(false, true);
  const data::Values parameters{{"max_length", whole(5)},
                                {"row_offset", whole(1)},
                                {"output_scale", Value(0.7)},
                                {"unit_rows", Value(unit_rows)}};
  const auto scheme = check::scheme("learned", parameters, {D, 2, 512}),
             derived = check::derived("learned", parameters, {D, 2, 512});
  auto weights = check::random_weights(*scheme, "table");
  host::Weights<double> by_hand(scheme->weights(), 1), by_tape(scheme->weights(), 1);
  const auto positions = check::positions({3, 0, -1, 3});  // one row twice
  const auto by_code = check::random({4, D}, "gradient");
  const auto given = std::as_const(weights).layer(0);
  scheme->encode_gradient<double>(context, positions, given, by_code, by_hand.layer(0));
  derived->encode_gradient<double>(context, positions, given, by_code, by_tape.layer(0));
  base::Array<double> out({4, D});
  const auto loss = [&] {
    scheme->encode<double>(context, positions, given, out);
    return check::inner(out, by_code);
  };
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], by_hand.arrays()[0][0]));
  CHECK(check::largest_difference(by_hand.arrays()[0][0], by_tape.arrays()[0][0]) < 1e-14);
}
