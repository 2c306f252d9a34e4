// SPDX-License-Identifier: Apache-2.0
// The operations forward, in both scalars, against their formulas written out; empty arrays; float32 rounded once.
#include "attached.hpp"
#include "catch.hpp"
#include "schemes.hpp"

namespace {

using check::Array;
using check::Attached;
using check::Call;
using check::count_up;
using poslab::Operation;

/// Row of doubles: rounded once to float at the end.
struct Third {
  static constexpr poslab::Card card{.id = "third", .title = "Third", .version = "1", .real_positions = true};
  static constexpr poslab::Traits traits{};
  void encode(poslab::Point p, poslab::Row<double> row) const {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = p / 3.0 + 1e9 * static_cast<double>(c);
  }
};

/// Rotates by the position in every plane; the angles in double even for float32.
struct Rotator {
  static constexpr poslab::Card card{.id = "rotator", .title = "Rotator", .version = "1", .real_positions = true};
  poslab::Pairing pairing;
  std::optional<int> rotary_width;
  poslab::RotaryPart rotary_part;
  static constexpr std::tuple params{
      poslab::choice(&Rotator::pairing, "pairing", poslab::pairings, "which"),
      poslab::integer(&Rotator::rotary_width, "rotary_width", poslab::unset, poslab::any_number, "how many"),
      poslab::choice(&Rotator::rotary_part, "rotary_part", poslab::rotary_parts, "where")};
  poslab::Traits traits() const {
    return poslab::Traits().pairing(pairing).rotary_width(rotary_width).rotary_part(rotary_part);
  }
  void rotate(poslab::Point p, poslab::Row<double> cosines, poslab::Row<double> sines) const {
    for (std::size_t m = 0; m < sines.size(); ++m) {
      const poslab::SineCosine at = poslab::sine_and_cosine(p / (1.0 + static_cast<double>(m)));
      cosines[m] = at.cosine;
      sines[m] = at.sine;
    }
  }
};

}  // namespace

TEMPLATE_TEST_CASE("encode overwrites a row for each position", "", float, double) {
  using S = TestType;
  const Attached scheme(check::table_of<check::Lookup>, 4, 2);
  auto weights = scheme.scattered_weights<S>();
  weights[1](0) = S(3);
  Array<double> positions({5, 1}, {7, 0, 3, 3, 1});
  Array<S> out({5, 4}, S(99));
  Call<S> call;
  call.fields.positions = &positions.view;
  call.weights(weights);
  call.fields.output = &out.view;
  scheme.run(Operation::encode, call.fields);
  for (int n = 0; n < 5; ++n)
    for (int c = 0; c < 4; ++c) CHECK(out(n, c) == weights[0](static_cast<std::int64_t>(positions(n)), c) * S(3));
}

TEST_CASE("a row of doubles is rounded to float32 once") {
  const Attached scheme(check::table_of<Third>, 3, 1);
  Array<double> positions({2, 1}, {1, 100000007.25}), exact({2, 3});
  Array<float> rounded({2, 3});
  Call<double> wide;
  wide.fields.positions = &positions.view;
  wide.fields.output = &exact.view;
  scheme.run(Operation::encode, wide.fields);
  Call<float> narrow;
  narrow.fields.positions = &positions.view;
  narrow.fields.output = &rounded.view;
  scheme.run(Operation::encode, narrow.fields);
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c) {
      CHECK(exact(n, c) == positions(n) / 3.0 + 1e9 * c);
      CHECK(rounded(n, c) == static_cast<float>(exact(n, c)));
    }
}

TEMPLATE_TEST_CASE("rotate rotates the pairs of all heads, and leaves the rest", "", float, double) {
  using S = TestType;
  const bool halves = GENERATE(false, true), last = GENERATE(false, true);
  const int width = GENERATE(0, 2, 4, 6);
  if (last && width == 6) return;           // refused
  const std::int64_t H = 3, N = 70, K = 6;  // more positions than one block
  const Attached scheme(check::table_of<Rotator>, 18, 3,
                        {{"pairing", halves}, {"rotary_width", width}, {"rotary_part", last}});
  Array<double> positions = count_up(N, -20.5);
  Array<S> x({H, N, K});
  x.scatter(0.4);
  Array<S> rotated = x;
  Call<S> call;
  call.fields.positions = &positions.view;
  call.fields.output = &rotated.view;
  scheme.run(Operation::transform, call.fields);
  const int planes = width / 2;
  for (std::int64_t h = 0; h < H; ++h)
    for (std::int64_t n = 0; n < N; ++n) {
      std::vector<S> expected;
      for (std::int64_t k = 0; k < K; ++k) expected.push_back(x(h, n, k));
      for (int m = 0; m < planes; ++m) {
        const auto from = static_cast<std::size_t>(last ? K - width : 0),
                   a = from + static_cast<std::size_t>(halves ? m : 2 * m),
                   b = from + static_cast<std::size_t>(halves ? m + planes : 2 * m + 1);
        const poslab::SineCosine at = poslab::sine_and_cosine(positions(n) / (1 + m));
        const S c = static_cast<S>(at.cosine), s = static_cast<S>(at.sine);
        const S u = expected[a], v = expected[b];
        expected[a] = u * c - v * s;
        expected[b] = v * c + u * s;
      }
      // To the last digit but one: unlike a plugin, this program is compiled for machines that may fuse a*c - b*s.
      for (std::int64_t k = 0; k < K; ++k)
        REQUIRE(std::abs(rotated(h, n, k) - expected[static_cast<std::size_t>(k)]) <=
                2 * std::numeric_limits<S>::epsilon());
    }
  Array<S> back = rotated;
  call.fields.output = &back.view;
  scheme.run(Operation::transform, call.fields, true);
  for (std::size_t i = 0; i < x.numbers.size(); ++i)
    REQUIRE(back.numbers[i] == check::Approx(x.numbers[i]).margin(sizeof(S) == 4 ? 5e-7 : 1e-15));
}

TEMPLATE_TEST_CASE("rotate with angles of each head is transform written out, gradients too", "", float, double) {
  using S = TestType;
  const bool halves = GENERATE(false, true);
  const auto side = GENERATE(POSLAB_QUERY, POSLAB_KEY);
  const std::int64_t H = 3, N = 70, K = 6;
  const Attached rotation(check::table_of<check::RotationOfHeads>, 18, 3, {{"pairing", halves}}),
      rows(check::table_of<check::RotationOfHeadsByRows>, 18, 3, {{"pairing", halves}});
  Array<double> positions = count_up(N, -20.5);
  Array<S> x({H, N, K}), seed({H, N, K});
  x.scatter(0.4), seed.scatter(0.7);
  std::vector<Array<S>> weights{Array<S>({H, K / 2}).scatter(0.3)};
  // What a scheme makes of x, of the gradient, and of its weights' gradient.
  const auto run = [&](const Attached& scheme) {
    std::vector<Array<S>> made{x, seed}, by_weights{Array<S>({H, K / 2})};
    for (const bool gradient : {false, true}) {
      Call<S> call;
      call.fields.side = side;
      call.fields.positions = &positions.view;
      call.weights(weights);
      if (gradient) {
        call.fields.query = call.fields.key = &x.view;
        call.weight_gradients(by_weights);
      }
      call.fields.output = &made[gradient].view;
      scheme.run(Operation::transform, call.fields, gradient);
    }
    made.push_back(by_weights[0]);
    return made;
  };
  const std::vector<Array<S>> a = run(rotation), b = run(rows);
  const double close = 200 * std::numeric_limits<S>::epsilon();
  for (std::size_t i = 0; i < a.size(); ++i) {
    double largest = 0;
    for (const S number : b[i].numbers) largest = std::max(largest, std::abs(static_cast<double>(number)));
    REQUIRE(largest > 0.5);
    for (std::size_t k = 0; k < a[i].numbers.size(); ++k)
      REQUIRE(a[i].numbers[k] == check::Approx(b[i].numbers[k]).epsilon(0).margin(close * largest));
  }
}

TEMPLATE_TEST_CASE("transform changes rows in place, head by head", "", float, double) {
  using S = TestType;
  const Attached scheme(check::table_of<check::Shear>, 6, 2);
  std::vector<Array<S>> weights{Array<S>({1}, S(0.5))};
  Array<double> positions = count_up(3, 2);
  Array<S> x({2, 3, 3});
  x.scatter(0.4);
  Array<S> out = x;
  Call<S> call;
  call.fields.positions = &positions.view;
  call.weights(weights);
  call.fields.output = &out.view;
  scheme.run(Operation::transform, call.fields);
  for (int h = 0; h < 2; ++h)
    for (int n = 0; n < 3; ++n) {
      CHECK(out(h, n, 0) == x(h, n, 0));
      CHECK(out(h, n, 1) == check::Approx(x(h, n, 1) + S(h * (n + 2)) * S(0.5) * x(h, n, 0)));
      CHECK(out(h, n, 2) == x(h, n, 2));
    }
}

TEMPLATE_TEST_CASE("bias of an offset fills the tile", "", float, double) {
  using S = TestType;
  const std::vector<double> keys =
      GENERATE(std::vector<double>{0, 1, 2, 3, 4, 5}, std::vector<double>{0, 2, 3, 7, 8, 9},
               std::vector<double>{5, 4, 3, 2, 1, 0}, std::vector<double>{-7, 0, 1, 2, 3, 40000},
               std::vector<double>{1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3, 3, 2});
  const std::vector<double> queries =
      GENERATE(std::vector<double>{2}, std::vector<double>{2, 3, 4}, std::vector<double>{9, 0});
  const Attached scheme(check::table_of<check::Clipped>, 4, 2);
  const std::int64_t Nq = static_cast<std::int64_t>(queries.size()), Nk = 6;
  auto weights = scheme.scattered_weights<S>();
  Array<double> query_positions({Nq, 1}, queries), key_positions({Nk, 1}, keys);
  Array<S> out({2, Nq, Nk}, S(99));
  Call<S> call;
  call.fields.query_positions = &query_positions.view;
  call.fields.key_positions = &key_positions.view;
  call.weights(weights);
  call.fields.output = &out.view;
  scheme.run(Operation::bias, call.fields);
  for (std::int64_t h = 0; h < 2; ++h)
    for (std::int64_t i = 0; i < Nq; ++i)
      for (std::int64_t j = 0; j < Nk; ++j) {
        const double offset = keys[static_cast<std::size_t>(j)] - queries[static_cast<std::size_t>(i)];
        CHECK(out(h, i, j) == weights[0](static_cast<std::int64_t>(std::clamp(offset, -3.0, 3.0)) + 3, h));
      }
}

TEMPLATE_TEST_CASE("bias of a pair sees both positions, all axes and the context", "", float, double) {
  using S = TestType;
  const Attached scheme(check::table_of<check::LogDistance>, 4, 2);
  auto weights = scheme.scattered_weights<S>();
  Array<double> queries({2, 2}, {0.5, 1, 2, 3}), keys({3, 2}, {0, 0, 1, 1, 5, 4});
  Array<S> out({2, 2, 3});
  Call<S> call;
  call.fields.length = 10;
  call.fields.query_positions = &queries.view;
  call.fields.key_positions = &keys.view;
  call.weights(weights);
  call.fields.output = &out.view;
  scheme.run(Operation::bias, call.fields);
  for (int h = 0; h < 2; ++h)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        const double distance = std::abs(queries(i, 0) - keys(j, 0)) + std::abs(queries(i, 1) - keys(j, 1));
        const double stretch = 1 + weights[1](h) * weights[1](h);
        const double expected = -weights[0](h) * std::log1p(stretch * distance) / (1 + queries(i, 0) / 10);
        CHECK(out(h, i, j) == check::Approx(expected).epsilon(sizeof(S) == 4 ? 1e-5 : 1e-14));
      }
}

TEMPLATE_TEST_CASE("bias of an offset in two axes is key - query in both", "", float, double) {
  using S = TestType;
  const Attached scheme(check::table_of<check::Grid>, 4, 2);
  std::vector<Array<S>> weights{Array<S>({2}, std::vector<S>{10, 100})};
  Array<double> queries({2, 2}, {0, 0, 1, 2}), keys({3, 2}, {0, 1, 4, 0, 2, 5});
  Array<S> out({2, 2, 3});
  Call<S> call;
  call.fields.query_positions = &queries.view;
  call.fields.key_positions = &keys.view;
  call.weights(weights);
  call.fields.output = &out.view;
  scheme.run(Operation::bias, call.fields);
  for (int h = 0; h < 2; ++h)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        const double down = keys(j, 0) - queries(i, 0), across = keys(j, 1) - queries(i, 1);
        CHECK(out(h, i, j) == static_cast<S>((h == 0 ? 10 : 100) * down + across * across));
      }
}

TEMPLATE_TEST_CASE("score adds to the logits, mix to the output", "", float, double) {
  using S = TestType;
  const std::int64_t H = 2, Nq = 3, Nk = 5, K = 4;
  const Attached scheme(check::table_of<check::Vectors>, 8, 2);
  auto weights = scheme.scattered_weights<S>();
  Array<double> queries = count_up(Nq, 1), keys = count_up(Nk);
  Array<S> q({H, Nq, K}), k({H, Nk, K}), logits({H, Nq, Nk}, S(10)), attention({H, Nq, Nk}), out({H, Nq, K}, S(10));
  q.scatter(0.1), attention.scatter(0.6);
  Call<S> call;
  call.fields.query_positions = &queries.view;
  call.fields.key_positions = &keys.view;
  call.fields.first_query = 1;
  call.fields.scale = 0.5;
  call.fields.query = &q.view;
  call.fields.key = &k.view;
  call.weights(weights);
  call.fields.output = &logits.view;
  scheme.run(Operation::score, call.fields);
  call.fields.attention = &attention.view;
  call.fields.output = &out.view;
  scheme.run(Operation::mix, call.fields);
  const double close = sizeof(S) == 4 ? 1e-6 : 1e-14;
  for (int h = 0; h < H; ++h)
    for (int i = 0; i < Nq; ++i) {
      std::vector<double> mixed(K, 10);
      for (int j = 0; j < Nk; ++j) {
        const std::int64_t r = std::clamp(j - (i + 1), -2, 2) + 2;
        double logit = 10;
        for (int c = 0; c < K; ++c) {
          logit += 0.5 * q(h, i, c) * weights[0](r, c);
          mixed[static_cast<std::size_t>(c)] += static_cast<double>(attention(h, i, j)) * weights[1](r, c);
        }
        CHECK(logits(h, i, j) == check::Approx(logit).epsilon(close));
      }
      for (int c = 0; c < K; ++c)
        CHECK(out(h, i, c) == check::Approx(mixed[static_cast<std::size_t>(c)]).epsilon(close));
    }
}

TEST_CASE("empty arrays are legal, and nothing is written") {
  const Attached lookup(check::table_of<check::Lookup>, 4, 2), clipped(check::table_of<check::Clipped>, 4, 2),
      vectors(check::table_of<check::Vectors>, 4, 2), rotator(check::table_of<Rotator>, 4, 2);
  Array<double> none({0, 1}), three = count_up(3), rows({0, 4}), tile({2, 3, 0}), x({2, 0, 2}), q({2, 3, 2}, 7);
  none.view.data = rows.view.data = tile.view.data = x.view.data = nullptr;
  auto weights = lookup.scattered_weights<double>();
  Call<double> encode;
  encode.fields.positions = &none.view;
  encode.weights(weights);
  encode.fields.output = encode.fields.output_gradient = &rows.view;
  for (const bool gradient : {false, true}) CHECK_NOTHROW(lookup.run(Operation::encode, encode.fields, gradient));
  Call<double> rotate;
  rotate.fields.positions = &none.view;
  rotate.fields.output = &x.view;
  for (const bool gradient : {false, true}) CHECK_NOTHROW(rotator.run(Operation::transform, rotate.fields, gradient));
  auto table = clipped.scattered_weights<double>();
  Call<double> bias;
  bias.fields.query_positions = &three.view;
  bias.fields.key_positions = &none.view;
  bias.weights(table);
  bias.fields.output = bias.fields.output_gradient = &tile.view;
  for (const bool gradient : {false, true}) CHECK_NOTHROW(clipped.run(Operation::bias, bias.fields, gradient));
  auto both = vectors.scattered_weights<double>();
  Call<double> score = bias;
  score.weights(both);
  score.fields.query = &q.view;
  score.fields.key = &x.view;
  score.fields.attention = &tile.view;
  for (const bool gradient : {false, true}) CHECK_NOTHROW(vectors.run(Operation::score, score.fields, gradient));
  score.fields.output = score.fields.output_gradient = &q.view;
  for (const bool gradient : {false, true}) CHECK_NOTHROW(vectors.run(Operation::mix, score.fields, gradient));
  CHECK(q.numbers == std::vector<double>(12, 7.0));  // what no key adds to
}
