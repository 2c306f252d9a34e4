// SPDX-License-Identifier: Apache-2.0
// Every operation and gradient, in both scalars, against the toy's sums done by hand; and all that a call refuses.
#include <algorithm>
#include <numeric>

#include "catch.hpp"
#include "faults.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/host/scheme_errors.hpp"
#include "thrown.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using data::Value;

namespace {

constexpr Index H = 2, K = 4, D = 8, Nq = 2, Nk = 3;
const host::Context context{Nk, 16, true};

host::Scheme* toy(const char* mode = "plain") {
  return new host::Scheme(host::Plugin::open(test::fault("toy")), {{"mode", Value(mode)}}, host::Model{D, H, 16});
}

template <class S>
Array<S> counting(std::initializer_list<Index> extents) {
  Array<S> array(extents);
  std::iota(array.flat().begin(), array.flat().end(), S{1});
  return array;
}

// Queries at positions 1 and 2 of keys 0, 1 and 2; weights: shift[c] = c + 1, slope = {1, 2}.
template <class S>
struct Setting {
  std::unique_ptr<host::Scheme> scheme{toy()};
  Array<double> key_positions{Nk, 1}, query_positions{Nq, 1};
  host::Tile tile;
  host::Weights<S> weights{scheme->weights(), 1}, gradients{scheme->weights(), 1};
  Setting() {
    for (Index j = 0; j < Nk; ++j) key_positions(j, 0) = static_cast<double>(j);
    for (Index i = 0; i < Nq; ++i) query_positions(i, 0) = static_cast<double>(i + 1);
    tile = {query_positions.view(), key_positions.view(), 1};
    for (auto& weight : weights.arrays()) std::iota(weight[0].flat().begin(), weight[0].flat().end(), S{1});
  }
  auto given() const { return weights.layer(0); }
};

}  // namespace

TEMPLATE_TEST_CASE("forward operations", "", float, double) {
  using S = TestType;
  const Setting<S> s;
  const auto weights = s.given();

  Array<S> encoded({Nk, D});
  s.scheme->template encode<S>(context, s.key_positions, weights, encoded);
  CHECK(encoded(2, 3) == S{0.5} * 2 + 4);

  auto rotated = counting<S>({H, Nk, K});
  s.scheme->template transform<S>(context, host::Side::key, s.key_positions, weights, rotated);
  CHECK(rotated(1, 2, 3) == 24 * 3 * 2);
  CHECK(rotated(1, 0, 3) == 0);
  rotated = counting<S>({H, Nk, K});
  s.scheme->template transform<S>(context, host::Side::query, s.key_positions, weights, rotated);
  CHECK(rotated(1, 2, 3) == 24 * 2 * 2);

  Array<S> bias({H, Nq, Nk});
  s.scheme->template bias<S>(context, s.tile, weights, bias);
  CHECK(bias(1, 1, 0) == 2 * (2 - 0));
  CHECK(bias(0, 0, 2) == 1 - 2);

  const auto q = counting<S>({H, Nq, K}), k = counting<S>({H, Nk, K}), x = counting<S>({Nk, D});
  auto logits = counting<S>({H, Nq, Nk});
  s.scheme->template score<S>(context, s.tile, {{}, q, k, 0.5}, weights, logits);
  CHECK(logits(1, 0, 2) == 9 + S{0.5} * (9 + 10 + 11 + 12));
  s.scheme->template score<S>(context, s.tile, {x, q, k, 0.5}, weights, logits);
  CHECK(logits(1, 0, 2) == 9 + (9 + 10 + 11 + 12) + 17);

  const auto attention = counting<S>({H, Nq, Nk});
  auto mixed = counting<S>({H, Nq, K});
  s.scheme->template mix<S>(context, s.tile, attention, weights, mixed);
  CHECK(mixed(1, 1, 0) == 13 + 11 * 1 + 12 * 2);
}

TEMPLATE_TEST_CASE("gradients are added to what is there", "", float, double) {
  using S = TestType;
  Setting<S> s;
  const auto weights = s.given();
  const auto gradients = s.gradients.layer(0);

  const auto by_code = counting<S>({Nk, D});
  for (int twice = 0; twice < 2; ++twice)
    s.scheme->template encode_gradient<S>(context, s.key_positions, weights, by_code, gradients);
  CHECK(gradients[0](3) == 2 * (4 + 12 + 20));
  CHECK_NOTHROW(s.scheme->template encode_gradient<S>(context, s.key_positions, weights, by_code, {}));

  auto rotated = counting<S>({H, Nk, K});
  s.scheme->template transform_gradient<S>(context, host::Side::key, s.key_positions, weights, rotated, gradients);
  CHECK(rotated(1, 2, 3) == 24 * 3 * 2);

  const auto by_bias = counting<S>({H, Nq, Nk});
  s.scheme->template bias_gradient<S>(context, s.tile, weights, by_bias, gradients);
  CHECK(gradients[1](0) == 1 * 1 + 2 * 0 - 3 * 1 + 4 * 2 + 5 * 1 + 6 * 0);

  const auto q = counting<S>({H, Nq, K}), k = counting<S>({H, Nk, K}), x = counting<S>({Nk, D});
  Array<S> by_x({Nk, D}), by_q({H, Nq, K});
  s.scheme->template score_gradient<S>(context, s.tile, {x, q, k, 0.5}, weights, by_bias, {by_x, by_q, {}}, gradients);
  CHECK(by_x(1, 0) == 2 + 5 + 8 + 11);
  CHECK(by_x(1, 1) == 0);
  CHECK(by_q(1, 0, 2) == S{0.5} * (7 + 8 + 9));

  const auto by_mix = counting<S>({H, Nq, K});
  Array<S> by_attention({H, Nq, Nk});
  s.scheme->template mix_gradient<S>(context, s.tile, by_bias, weights, by_mix, by_attention, gradients);
  CHECK(by_attention(1, 1, 2) == (13 + 14 + 15 + 16) * 2);
}

TEST_CASE("context, tile and layer cross the boundary") {
  Setting<double> s;
  s.scheme.reset(toy("tells_context"));
  const host::Context told{13, 24, true}, other{13, 24, false};
  Array<double> encoded({Nk, D}), bias({H, Nq, Nk});
  s.scheme->encode<double>(told, s.key_positions, s.given(), encoded);
  CHECK(encoded(2, 7) == 2413001);
  s.scheme->encode<double>(other, s.key_positions, s.given(), encoded);
  CHECK(encoded(2, 7) == 2413000);
  s.scheme->bias<double>(told, {s.query_positions, s.key_positions, 1}, s.given(), bias, 2);
  CHECK(bias(1, 1, 2) == 2413121);
}

TEST_CASE("arrays that are not 64-byte aligned travel as copies, and come back") {
  const Setting<double> s;
  std::vector<double> positions{9, 0, 1, 2}, room(1 + Nk * D), numbers(1 + H * Nk * K, 1.0);
  for (std::size_t shift = 0; shift < 2; ++shift) {
    const host::Positions p(positions.data() + 1, {Nk, 1});
    s.scheme->encode<double>(context, p, s.given(), {room.data() + shift, {Nk, D}});
    CHECK(room[shift + 2 * D + 3] == 5);
    const base::View<double> x(numbers.data() + shift, {H, Nk, K});
    for (double& number : x.flat()) number = 1;
    s.scheme->transform<double>(context, host::Side::key, p, s.given(), x);
    CHECK(x(1, 2, 3) == 6);
  }
}

TEST_CASE("empty arrays are legal and change nothing") {
  const Setting<double> s;
  Array<double> no_positions({0, 1}), room({H, Nq, Nk});
  room.fill(7);
  s.scheme->encode<double>(context, no_positions, s.given(), {room.data(), {0, D}});
  s.scheme->bias<double>(context, {no_positions, s.key_positions, 0}, s.given(), {room.data(), {H, 0, Nk}});
  s.scheme->transform<double>(context, host::Side::key, no_positions, s.given(), {room.data(), {H, 0, K}});
  CHECK(std::all_of(room.flat().begin(), room.flat().end(), [](double number) { return number == 7; }));
  // The same memory with rows: each of these writes to it.
  s.scheme->encode<double>(context, s.key_positions.view().rows(0, 1), s.given(), {room.data(), {1, D}});
  CHECK(room(0, 0, 0) != 7);
}

TEST_CASE("wrong shapes are named before the plugin sees them") {
  const Setting<double> s;
  Array<double> encoded({Nk, D - 1}), bias({H, Nk, Nq});
  const auto encode = [&](auto weights) { s.scheme->encode<double>(context, s.key_positions, weights, encoded); };
  CHECK(check::thrown([&] { static_cast<void>(encode(s.given())); }).kind == check::Kind::internal);
  CHECK_THROWS_WITH(encode(s.given()), "scheme \"toy\", encode: output has the shape [3, 7], but [3, 8] is needed");
  CHECK_THROWS_WITH(s.scheme->bias<double>(context, s.tile, s.given(), bias),
                    "scheme \"toy\", bias: output has the shape [2, 3, 2], but [2, 2, 3] is needed");
  CHECK_THROWS_WITH(encode(std::vector<base::View<const double>>{}),
                    check::contains("0 weights were given, but the scheme has 2"));
  auto swapped = s.given();
  std::swap(swapped[0], swapped[1]);
  CHECK_THROWS_WITH(encode(swapped), check::contains("weight \"shift\" does not have its declared shape"));
  CHECK_THROWS_WITH(s.scheme->bias<double>(context, s.tile, s.given(), {nullptr, {H, Nq, Nk}}),
                    check::contains("output is missing"));
}

TEST_CASE("a plugin's status becomes an error that names scheme and operation") {
  Setting<double> s;
  Array<double> encoded({Nk, D});
  const auto encode = [&](const char* mode) {
    s.scheme.reset(toy(mode));
    s.scheme->encode<double>(context, s.key_positions, s.given(), encoded);
  };
  CHECK_THROWS_AS(encode("out_of_range"), data::PositionOutOfRange);
  CHECK_THROWS_WITH(encode("out_of_range"), "scheme \"toy\", encode: position 7 is beyond 5");
  CHECK_THROWS_WITH(encode("silent"), "scheme \"toy\", encode: the plugin gave no reason");
  CHECK_THROWS_WITH(encode("strange"),
                    "scheme \"toy\", encode: the plugin answered the unknown status 99: strange things");
  CHECK_THROWS_WITH(encode("long_text"), check::contains(std::string(1020, 'x')));
  {
    const poslab::base::Error error = check::thrown([&] { encode("strange"); });
    CHECK(error.kind == check::Kind::plugin);
    CHECK_THAT(error.what(), check::contains("scheme \"toy\", encode"));
    CHECK_THAT(error.what(), check::contains("the plugin answered the unknown status 99: strange things"));
  }
}

TEST_CASE("numbers that are not finite are found, unless the variant may mask") {
  Setting<float> s;
  Array<float> encoded({Nk, D}), bias({H, Nq, Nk});
  const auto encode = [&](const char* mode) {
    s.scheme.reset(toy(mode));
    s.scheme->encode<float>(context, s.key_positions, s.given(), encoded);
  };
  CHECK(check::thrown([&] { static_cast<void>(encode("gives_nan")); }).kind == check::Kind::numeric);
  CHECK_THROWS_WITH(encode("gives_nan"),
                    check::contains("scheme \"toy\", encode: output is nan at position 2 (token 2), channel 7"));
  CHECK_THROWS_WITH(encode("gives_infinity"), check::contains("(token 2), channel 7"));
  {
    const poslab::base::Error error = check::thrown([&] { encode("gives_infinity"); });
    CHECK(error.kind == check::Kind::numeric);
    CHECK_THAT(error.what(), check::contains("scheme \"toy\", encode: output is inf at "));
  }
  CHECK_NOTHROW(encode("masks"));
  CHECK(encoded(2, 7) == -INFINITY);
  s.scheme.reset(toy("gives_nan"));
  CHECK_THROWS_WITH(s.scheme->bias<float>(context, s.tile, s.given(), bias),
                    check::contains("bias: output is nan at offset 0 (query 2, key 2), head 1"));
  const Array<float> ones({Nk, D});
  CHECK_THROWS_WITH(s.scheme->encode_gradient<float>(context, s.key_positions, s.given(), ones, s.gradients.layer(0)),
                    check::contains("gradient of encode: the gradient of weight shift is nan at [7]"));
}

TEST_CASE("positions are checked in every call") {
  const Setting<double> s;
  Array<double> encoded({1, D}), half({1, 1}), bias({H, 1, 1});
  half(0, 0) = 0.5;
  CHECK_THROWS_AS(s.scheme->encode<double>(context, half, s.given(), encoded), data::PositionOutOfRange);
  CHECK_THROWS_AS(s.scheme->bias<double>(context, {half, half, 0}, s.given(), bias), data::PositionOutOfRange);
}
