// SPDX-License-Identifier: Apache-2.0
// The cells of first-position-bias: closed forms of the mask, a second implementation by definition, exposure, threads.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"
#include "decay.hpp"
#include "exposure.hpp"
#include "mask_null.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"
#include "same_bits.hpp"

using namespace poslab;
using namespace poslab::experiments::first_position_bias;
using data::Value;

namespace {

constexpr Index D = 16, H = 4, K = D / H;

cells::Cell cell(const std::string& scheme, std::int64_t length, std::vector<double> depth, double gain = 1) {
  return {"first-position-bias",
          scheme,
          {{"length", Value(length)}, {"depth", Value(std::move(depth))}, {"query_gain", Value(gain)}},
          {},
          {D, H, length}};
}

double harmonic(Index n, double power = 1) {
  return n == 0 ? 0 : harmonic(n - 1, power) + std::pow(static_cast<double>(n), -power);
}

}  // namespace

TEST_CASE("first-position-bias: what the mask alone does") {
  CHECK_THAT(even_sink_share(64), check::WithinAbs(harmonic(64) / 64, 1e-16));
  CHECK_THAT(even_sink_share(512), check::WithinAbs(0.0133135, 5e-8));
  const std::vector<double> share = even_context_share(64, 3);
  CHECK(share[0] == 0.015625);
  CHECK_THAT(share[1], check::WithinAbs(0.074123, 5e-7));
  CHECK_THAT(share[2], check::WithinAbs(0.188546, 5e-7));
  for (const Index N : {1, 2, 10, 64, 1000}) {
    const std::vector<double> closed = even_context_share(N, 3);
    const double n = static_cast<double>(N);
    CHECK_THAT(closed[0], check::WithinRel(1 / n, 1e-14));
    CHECK_THAT(closed[1], check::WithinRel(harmonic(N) / n, 1e-13));
    CHECK_THAT(closed[2], check::WithinRel((std::pow(harmonic(N), 2) + harmonic(N, 2)) / (2 * n), 1e-13));
  }
  // sum_m (-1)^m C(N-1, m) / (m+1)^t, where it still has digits.
  const std::vector<double> deep = even_context_share(10, 8);
  for (int t = 1; t <= 8; ++t) {
    double sum = 0, binomial = 1;
    for (int m = 0; m < 10; ++m) {
      sum += (m % 2 ? -1 : 1) * binomial / std::pow(m + 1, t);
      binomial = binomial * (9 - m) / (m + 1);
    }
    CHECK_THAT(deep[static_cast<std::size_t>(t - 1)], check::WithinAbs(sum, 1e-12));
  }
}

TEST_CASE("first-position-bias: the mask alone, with and without residual paths, at twelve layers") {
  CHECK_THAT(even_context_share(64, 12).back(), check::WithinAbs(0.987, 5e-4));
  CHECK_THAT(even_residual_context_share(64, 12).back(), check::WithinAbs(0.625, 5e-4));
  // By products of whole matrices.
  const Index N = 9;
  std::vector<std::vector<double>> B(N, std::vector<double>(N, 0.0)), product;
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j <= i; ++j) B[i][j] = (1 / static_cast<double>(i + 1) + (i == j ? 1 : 0)) / 2;
  product = B;
  const std::vector<double> share = even_residual_context_share(N, 5);
  for (std::size_t t = 0; t < 5; ++t) {
    CHECK_THAT(share[t], check::WithinAbs(product[8][0], 1e-15));
    std::vector<std::vector<double>> next(N, std::vector<double>(N, 0.0));
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = 0; j < 9; ++j)
        for (std::size_t k = 0; k < 9; ++k) next[i][j] += B[i][k] * product[k][j];
    product = next;
  }
}

TEST_CASE("first-position-bias: equal logits without positions leave the mask, at any depth") {
  const std::vector<double> depths{1, 2, 3, 4, 5, 6, 7, 8};
  const cells::Answer answer = cells::run(cell("none", 64, depths, 0));
  const std::vector<double> closed = even_context_share(64, 8);
  for (std::size_t t = 0; t < 8; ++t) {
    CHECK_THAT(answer.curve("sink_share")[t], check::WithinAbs(harmonic(64) / 64, 1e-12));
    CHECK_THAT(answer.curve("context_share")[t], check::WithinAbs(closed[t], 1e-12));
    CHECK(answer.curve("context_share_log_excess")[t] == 0);
    CHECK(answer.curve("context_share_mask")[t] == closed[t]);
    CHECK_THAT(answer.curve("residual_context_share")[t],
               check::WithinAbs(answer.curve("residual_context_share_mask")[t], 1e-12));
  }
  CHECK(answer.scalar("sink_share_mask") == even_sink_share(64));
}

TEST_CASE("first-position-bias: length 1 and 2") {
  const cells::Answer one = cells::run(cell("rope", 1, {1, 2}));
  CHECK(one.curve("sink_share") == std::vector<double>{1, 1});
  CHECK(one.curve("context_share") == std::vector<double>{1, 1});
  CHECK(one.curve("context_share_log_excess") == std::vector<double>{0, 0});
  CHECK(one.curve("residual_context_share_log_excess") == std::vector<double>{0, 0});
  for (const double decay : one.curve("decay")) CHECK(std::isnan(decay));
  const cells::Answer two = cells::run(cell("none", 2, {1, 2}, 0));
  CHECK(two.curve("sink_share") == std::vector<double>{0.75, 0.75});
  CHECK(two.curve("context_share") == std::vector<double>{0.5, 0.75});
  CHECK(two.curve("residual_context_share") == std::vector<double>{0.25, 0.4375});
}

TEST_CASE("first-position-bias: without positions the excess is 0 with contents too, where the mask is no null") {
  const cells::Answer none = cells::run(cell("none", 64, {1, 2, 3}, 3));
  for (const char* measure : {"context_share_log_excess", "residual_context_share_log_excess", "decay"})
    for (const double excess : none.curve(measure)) CHECK(excess == 0);
  CHECK(std::abs(std::log(none.curve("context_share")[0] / none.curve("context_share_mask")[0])) > 0.01);
}

TEST_CASE("first-position-bias: what decays, decays by its slope") {
  for (const double gain : {0.0, 1.0, 4.0}) {
    const cells::Answer alibi = cells::run(cell("alibi", 60, {1}, gain));
    const std::vector<double>& decay = alibi.curve("decay");
    REQUIRE(decay.size() == H);
    for (Index h = 0; h < H; ++h)
      CHECK_THAT(decay[static_cast<std::size_t>(h)],
                 check::WithinAbs(std::exp2(-2.0 * static_cast<double>(h + 1)), 1e-12));
  }
  // Gates of one half, as they are on average before training: a factor of two for each token.
  const cells::Answer fox = cells::run(cell("fox", 200, {1}));
  for (const double decay : fox.curve("decay")) CHECK_THAT(decay, check::WithinAbs(std::log(2), 0.15));
}

TEST_CASE("first-position-bias: decays as the normal equations give them") {
  const Index N = 31;
  const data::Draws draws(5, "decay", "", 0);
  const base::Array<double> logits = draws.normal("logits", {2, N}), none = draws.normal("none", {2, N});
  const std::vector<double> fast = decays(logits, none);
  for (Index h = 0; h < 2; ++h) {
    double n = 0, d = 0, c = 0, dd = 0, dc = 0;
    for (Index j = 0; j < N; ++j) {
      const double distance = static_cast<double>(N - 1 - j), change = logits(h, j) - none(h, j);
      n += 1, d += distance, c += change, dd += distance * distance, dc += distance * change;
    }
    CHECK_THAT(fast[static_cast<std::size_t>(h)], check::WithinAbs(-(n * dc - d * c) / (n * dd - d * d), 1e-14));
  }
}

TEST_CASE("first-position-bias: equal logits under ALiBi leave its geometric rows") {
  const Index N = 50;
  std::vector<double> F(static_cast<std::size_t>(N), 0.0), next(F);
  F[0] = 1;
  double sink = 0;
  const cells::Answer answer = cells::run(cell("alibi", N, {1, 2, 3, 4}, 0));
  for (std::size_t t = 0; t < 4; ++t) {
    sink = 0;
    for (Index i = 0; i < N; ++i) {
      next[static_cast<std::size_t>(i)] = 0;
      for (Index h = 0; h < H; ++h) {
        const double r = std::exp(-std::exp2(-2.0 * static_cast<double>(h + 1)));
        const double least = std::pow(r, i) * (1 - r) / (1 - std::pow(r, i + 1));
        sink += least / static_cast<double>(N * H);
        for (Index j = 0; j <= i; ++j)
          next[static_cast<std::size_t>(i)] += least * std::pow(r, -j) * F[static_cast<std::size_t>(j)] / H;
      }
    }
    F = next;
    CHECK_THAT(answer.curve("sink_share")[t], check::WithinAbs(sink, 1e-12));
    CHECK_THAT(answer.curve("context_share")[t], check::WithinAbs(F.back(), 1e-12));
  }
}

// The stack once more from its definition: plain products, attention one query at a time, whole matrices.
namespace {

struct Naive {
  std::vector<double> sink_share, context_share, residual_context_share;  // at depth 1, 2, ...
};

Naive naive_stack(const host::Scheme* scheme, const data::Draws& draws, Index N, int depth, bool residual) {
  base::Array<double> x = draws.normal("content", {N, D}), positions{N, 1};
  for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
  host::Weights<double> weights;
  if (scheme) weights = scheme->draw_weights(draws, depth);
  const auto layer_weights = [&](Index l) {
    return scheme ? std::as_const(weights).of_layer(l) : std::vector<base::View<const double>>();
  };
  if (scheme && scheme->has(host::Operation::encode)) {
    base::Array<double> encoded{N, D};
    scheme->encode<double>({N, N, true}, positions, layer_weights(0), encoded);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] += encoded.data()[i];
  }
  Naive naive;
  std::vector<double> F(static_cast<std::size_t>(N), 0.0);
  F[0] = 1;
  std::vector<double> G = F;
  double shares = 0;
  for (int l = 0; l < depth; ++l) {
    const std::string of_layer = " projection of layer " + std::to_string(l);
    base::Array<double> z{N, D}, projected[3], out{H, N, K};
    for (Index n = 0; n < N; ++n) {
      double squares = 0;
      for (Index c = 0; c < D; ++c) squares += x(n, c) * x(n, c) / D;
      for (Index c = 0; c < D; ++c) z(n, c) = x(n, c) / std::sqrt(squares);
    }
    for (int side = 0; side < 3; ++side) {
      const base::Array<double> W = draws.normal((side == 0   ? "query"
                                                  : side == 1 ? "key"
                                                              : "value") +
                                                     of_layer,
                                                 {D, D});
      projected[side] = base::Array<double>{H, N, K};
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < D; ++c)
          for (Index a = 0; a < D; ++a) projected[side](c / K, n, c % K) += z(n, a) * W(a, c) / std::sqrt(double(D));
    }
    if (scheme)
      for (double& q : projected[0].flat()) q *= 1 / std::sqrt(double(K)) / scheme->logit_scale();
    const base::Array<double> A = attention::attend_reference<double>(
        {scheme, {N, N, true}, positions, layer_weights(l), l}, {projected[0], projected[1], z}, projected[2], out);
    std::vector<double> next(F.size(), 0.0), next_residual(F.size(), 0.0);
    for (std::size_t i = 0; i < G.size(); ++i) next_residual[i] = G[i] / 2;
    for (Index h = 0; h < H; ++h) {
      double sink = 0;
      for (Index i = 0; i < N; ++i) {
        sink += A(h, i, 0) / static_cast<double>(N);
        for (Index j = 0; j < N; ++j) {
          next[static_cast<std::size_t>(i)] += A(h, i, j) * F[static_cast<std::size_t>(j)] / H;
          next_residual[static_cast<std::size_t>(i)] += A(h, i, j) * G[static_cast<std::size_t>(j)] / H / 2;
        }
        for (Index a = 0; a < K; ++a) x(i, h * K + a) = (residual ? x(i, h * K + a) : 0) + out(h, i, a);
      }
      shares += sink;
    }
    F = next;
    G = next_residual;
    naive.sink_share.push_back(shares / H / (l + 1));
    naive.context_share.push_back(F.back());
    naive.residual_context_share.push_back(G.back());
  }
  return naive;
}

void check_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK_THAT(a[i], check::WithinAbs(b[i], tolerance));
}

}  // namespace

TEST_CASE("first-position-bias: random contents as a second implementation by definition gives them") {
  for (const char* id : {"none", "sinusoidal", "learned", "index", "rope", "alibi", "t5", "shaw", "transformer-xl"})
    for (const bool residual : {true, false})
      for (const Index N : {7, 140}) {
        CAPTURE(id, residual, N);
        cells::Cell here = cell(id, N, {1, 2, 3});
        here.axes.set("residual", Value(residual));
        const cells::Answer answer = cells::run(here);
        const host::Scheme scheme(cells::plugin(id), {}, {D, H, N});
        const data::Draws draws(20261121, "first-position-bias", id, 0);
        const Naive positioned = naive_stack(&scheme, draws, N, 3, residual),
                    none = naive_stack(nullptr, draws, N, 3, residual);
        check_near(answer.curve("sink_share"), positioned.sink_share, 1e-11);
        check_near(answer.curve("context_share"), positioned.context_share, 1e-11);
        check_near(answer.curve("sink_share_none"), none.sink_share, 1e-11);
        check_near(answer.curve("residual_context_share"), positioned.residual_context_share, 1e-11);
        check_near(answer.curve("context_share_none"), none.context_share, 1e-11);
        check_near(answer.curve("residual_context_share_none"), none.residual_context_share, 1e-11);
        for (std::size_t t = 0; t < 3; ++t) {
          CHECK_THAT(answer.curve("context_share_log_excess")[t],
                     check::WithinAbs(std::log(positioned.context_share[t] / none.context_share[t]), 1e-10));
          const double residual_ratio = positioned.residual_context_share[t] / none.residual_context_share[t];
          CHECK_THAT(answer.curve("residual_context_share_log_excess")[t],
                     check::WithinAbs(std::log(residual_ratio), 1e-10));
        }
      }
}

TEST_CASE("first-position-bias: depths may be asked for in any order, some or all") {
  const cells::Answer all = cells::run(cell("rope", 20, {1, 2, 3})), some = cells::run(cell("rope", 20, {3, 1, 3}));
  CHECK(some.record.coordinate_of("depth")->values == std::vector<double>{1, 3});
  CHECK(some.curve("context_share") ==
        std::vector<double>{all.curve("context_share")[0], all.curve("context_share")[2]});
  CHECK_THAT(cells::run(cell("rope", 20, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(cell("rope", 20, {})).skip, check::contains("empty"));
}

TEST_CASE("first-position-bias: where a scheme puts the scale does not change its untrained logits") {
  cells::Cell unscaled = cell("t5", 30, {1, 2, 3}), scaled = unscaled;
  scaled.parameters = {{"scaled", Value(true)}};
  check_near(cells::run(unscaled).curve("context_share"), cells::run(scaled).curve("context_share"), 1e-12);
}

TEST_CASE("first-position-bias: a table that is too short is skipped with its sentence") {
  cells::Cell table = cell("learned", 30, {1});
  table.parameters = {{"max_length", Value(std::int64_t{20})}};
  CHECK_THAT(cells::run(table).skip, check::contains("position 29"));
}

TEST_CASE("first-position-bias: exposure, expected and drawn") {
  const Index N = 40, sequences = 100000;
  const base::Stream stream("exposure");
  for (const char* name : {"uniform", "log-normal"}) {
    CAPTURE(name);
    const Lengths lengths(name, N);
    const std::vector<double> expected = expected_updates(lengths, N, sequences),
                              drawn = drawn_updates(lengths, N, sequences, stream);
    CHECK(expected[0] == sequences);
    CHECK(drawn[0] == sequences);
    for (std::size_t p = 0; p < 40; ++p) {
      if (p > 0) CHECK(drawn[p] <= drawn[p - 1]);
      const double chance = expected[p] / sequences, deviation = std::sqrt(sequences * chance * (1 - chance));
      CHECK_THAT(drawn[p], check::WithinAbs(expected[p], 5 * deviation + 1e-9));
    }
  }
  CHECK(expected_updates(Lengths("uniform", 4), 4, 8) == std::vector<double>{8, 6, 4, 2});
  CHECK_THAT(Lengths("log-normal", N).chance_beyond(10), check::WithinAbs(0.5, 1e-15));           // its median is N / 4
  CHECK_THAT(Lengths("log-normal", N).chance_beyond(20), check::WithinAbs(0.24410859578, 1e-9));  // 1 - Phi(log 2)
  // By counting one by one.
  const Lengths lengths("log-normal", N);
  const std::vector<double> drawn = drawn_updates(lengths, N, 500, stream);
  for (Index p = 0; p < N; ++p) {
    double longer = 0;
    for (std::uint64_t i = 0; i < 500; ++i) longer += lengths.draw(stream, i) > p;
    CHECK(drawn[static_cast<std::size_t>(p)] == longer);
  }
}

TEST_CASE("first-position-bias: float32 is near float64") {
  cells::Cell here = cell("rope", 60, {1, 2, 3});
  const cells::Answer twice = cells::run(here);
  here.axes.set("dtype", Value("float32"));
  const cells::Answer once = cells::run(here);
  const data::ExperimentInfo& info = experiments::find_experiment("first-position-bias").info;
  for (const data::Measurement& measured : twice.record.measurements()) {
    CAPTURE(measured.name);
    const std::vector<double>& rounded = once.curve(measured.name);
    for (std::size_t i = 0; i < rounded.size(); ++i) {
      const double allowed =
          info.measure(measured.name)->tolerance_at(all_axes(here)).allowed(rounded[i], measured.values[i], 59, 60);
      CHECK_THAT(rounded[i], check::WithinAbs(measured.values[i], allowed));
    }
  }
}

TEST_CASE("first-position-bias: the same bits on 1, 2 and 8 threads") {
  for (const char* id : {"sinusoidal", "shaw"}) cells::check_same_bits(cell(id, 400, {1, 2, 3}));
}
