// SPDX-License-Identifier: Apache-2.0
// Relative shift against known answers, closed forms, and plain loops over the definition.
// Dimension letters: N positions, D model width, H heads, K head width.
#include <cmath>

#include "catch.hpp"
#include "cells.hpp"

#include "poslab/data/draws.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Value;

using cells::list, cells::whole;

// The tolerance of the page: 1e-13 + 4e-16 times the largest position.
double allowed(double largest_position) { return 1e-13 + 4e-16 * largest_position; }

// Variance of numbers given one by one.
struct Spread {
  double n = 0, sum = 0, squares = 0;
  void add(double x) { n += 1, sum += x, squares += x * x; }
  double variance() const { return squares / n - sum / n * (sum / n); }
};

// The variances of several rows of keys, added up.
struct OverKeys {
  double variances = 0;
  void add(const Spread& row) { variances += row.variance(); }
};

double sinusoid(Index p, Index c, Index D) {
  const double angle = static_cast<double>(p) * std::pow(1e4, -static_cast<double>(c - c % 2) / static_cast<double>(D));
  return c % 2 ? std::cos(angle) : std::sin(angle);
}

}  // namespace

TEST_CASE("relative shift: RoPE, ALiBi, T5, Shaw, Transformer-XL and nothing at all are exact") {
  const std::string scheme = GENERATE("rope", "alibi", "t5", "shaw", "transformer-xl", "none");
  CAPTURE(scheme);
  const std::int64_t N = 200;
  const Answer answer =
      cells::run({"relative-shift", scheme, {{"length", whole(N)}, {"shift", list({1, 64, 5000})}}, {}, {64, 4, 200}});
  const std::vector<double> shifts = answer.record.coordinate_of("shift")->values;
  REQUIRE(shifts == std::vector<double>{1, 64, 5000});
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    CHECK(answer.curve("content_error")[i] <= allowed(shifts[i] + 63));
    CHECK(answer.curve("content_error_rms")[i] <= answer.curve("content_error")[i]);
  }
  CHECK(answer.scalar("toeplitz_residual") <= 1e-12 * static_cast<double>(N));
  CHECK(answer.curve("position_spread").size() == 2 * 200 - 1);
  CHECK(answer.has("share_content") == (scheme == "none"));
  CHECK(answer.has("composition_error") == (scheme == "rope"));
}

TEST_CASE("relative shift of the sinusoid: the position part is exact, the content part is not") {
  const Answer answer =
      cells::run({"relative-shift", "sinusoidal", {{"length", whole(700)}, {"step", list({1, 16})}}, {}, {64, 4, 700}});
  CHECK(answer.scalar("toeplitz_residual") <= 1e-12 * 700);
  for (const double error : answer.curve("content_error_rms")) CHECK(error > 0.01);
  for (const double residual : answer.curve("linear_map_residual")) CHECK(residual <= 1e-10);
}

TEST_CASE("relative shift of a learned table: neither part is relative, and no linear map leads on") {
  const Answer answer = cells::run({"relative-shift",
                                    "learned",
                                    {{"length", whole(400)}, {"step", list({1, 5})}, {"shift", list({1, 336, 337})}},
                                    {},
                                    {32, 4, 400}});
  CHECK(answer.scalar("toeplitz_residual_relative") > 1);
  for (const double residual : answer.curve("linear_map_residual")) CHECK(residual >= 1);
  CHECK(answer.curve("content_error")[0] > 0.01);
  CHECK(answer.curve("content_error")[1] > 0.01);  // positions 336 .. 399: the last that there are
  CHECK(std::isnan(answer.curve("content_error")[2]));
  CHECK(std::isnan(answer.curve("content_error_rms")[2]));
}

TEST_CASE("relative shift of the index: P = m n spreads by (N - 1 - |r|)(N - 1)") {
  const std::int64_t N = 150;
  const Answer answer = cells::run({"relative-shift", "index", {{"length", whole(N)}}, {}, {16, 2, 150}});
  const std::vector<double>& offsets = answer.record.coordinate_of("offset")->values;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    REQUIRE(answer.curve("position_spread")[i] ==
            static_cast<double>(N - 1) * (static_cast<double>(N - 1) - std::abs(offsets[i])));
  const double last = static_cast<double>(N - 1), mean_square = last * (2 * last + 1) / 6;  // of m
  CHECK(answer.scalar("toeplitz_residual") == last * last);
  CHECK(answer.scalar("toeplitz_residual_relative") == check::Approx(last * last / mean_square).epsilon(1e-13));
}

TEST_CASE("relative shift: content error and shares of the sinusoid, by plain loops over the definition") {
  const Index N = 100, D = 24, H = 3, K = 8, C = 5, M = 64, shift = 17;
  const Cell cell{"relative-shift",
                  "sinusoidal",
                  {{"length", whole(N)}, {"contents", whole(C)}, {"shift", list({17})}},
                  {},
                  {D, H, N}};
  const Answer answer = cells::run(cell);
  const poslab::data::Draws draws(20261121, "relative-shift", "sinusoidal", 0);
  const Array<double> x = draws.normal("query", {C, H, M, K}), y = draws.normal("key", {C, H, M, K});
  Spread logit;
  OverKeys content, cross, position, added, change;
  double largest = 0;
  for (Index c = 0; c < C; ++c)
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < M; ++m) {
        Spread of_content, of_cross, of_position, of_added, of_change;
        std::vector<double> changes;
        for (Index n = 0; n < M; ++n) {
          double xy = 0, xp = 0, pp = 0, before = 0, after = 0;
          for (Index k = 0; k < K; ++k) {
            const double a = x.view()[c](h, m, k), b = y.view()[c](h, n, k);
            const double p = sinusoid(m, h * K + k, D), q = sinusoid(n, h * K + k, D);
            xy += a * b;
            xp += a * q + p * b;
            pp += p * q;
            before += (a + p) * (b + q);
            after += (a + sinusoid(m + shift, h * K + k, D)) * (b + sinusoid(n + shift, h * K + k, D));
          }
          logit.add(before);
          of_content.add(xy);
          of_cross.add(xp);
          of_position.add(pp);
          of_added.add(before - xy);
          of_change.add(after - before);
          changes.push_back(after - before);
        }
        double mean = 0;
        for (const double change_of_key : changes) mean += change_of_key / static_cast<double>(M);
        for (const double change_of_key : changes) largest = std::max(largest, std::abs(change_of_key - mean));
        content.add(of_content), cross.add(of_cross), position.add(of_position), added.add(of_added),
            change.add(of_change);
      }
  const double size = std::sqrt(logit.squares / logit.n),
               all = content.variances + cross.variances + position.variances;
  CHECK(answer.curve("content_error")[0] == check::Approx(largest / size).epsilon(1e-11));
  CHECK(answer.curve("content_error_rms")[0] ==
        check::Approx(std::sqrt(change.variances / added.variances)).epsilon(1e-10));
  CHECK(answer.scalar("added") == check::Approx(std::sqrt(added.variances / content.variances)).epsilon(1e-10));
  CHECK(answer.scalar("share_content") == check::Approx(content.variances / all).epsilon(1e-10));
  CHECK(answer.scalar("share_cross") == check::Approx(cross.variances / all).epsilon(1e-10));
  CHECK(answer.scalar("share_position") == check::Approx(position.variances / all).epsilon(1e-10));
}

TEST_CASE(
    "relative shift: shares of the sinusoid, half of whose code is the same for all keys or not, in closed form") {
  // Among the keys of a query V<x, y> = K; V<p, y> = |p_h|^2 = K / 2 and V<x, q> = what varies of |q_h|^2 along keys.
  const Index D = 64, H = 4, M = 64;
  const Answer answer =
      cells::run({"relative-shift", "sinusoidal", {{"length", whole(M)}, {"contents", whole(64)}}, {}, {D, H, M}});
  double varying = 0;
  for (Index channel = 0; channel < D; ++channel) {
    Spread along;
    for (Index n = 0; n < M; ++n) along.add(sinusoid(n, channel, D));
    varying += along.variance() / static_cast<double>(H);
  }
  const double K = 16, of_keys = 1 - 1.0 / static_cast<double>(M);
  CHECK(answer.scalar("share_cross") / answer.scalar("share_content") ==
        check::Approx((K / 2 * of_keys + varying) / (K * of_keys)).epsilon(0.02));
  const double sum = answer.scalar("share_content") + answer.scalar("share_cross") + answer.scalar("share_position");
  CHECK(sum == check::Approx(1.0).epsilon(1e-14));
}

TEST_CASE("relative shift of nothing: all of the logit is content") {
  const Answer answer = cells::run({"relative-shift", "none", {{"length", whole(50)}}, {}, {16, 2, 50}});
  CHECK(answer.scalar("share_content") == 1);
  CHECK(answer.scalar("share_cross") == 0);
  CHECK(answer.scalar("share_position") == 0);
  CHECK(answer.scalar("toeplitz_residual") == 0);
  CHECK(answer.scalar("toeplitz_residual_relative") == 0);
  CHECK(answer.scalar("added") == 0);
  CHECK(answer.scalar("position_score_rms") == 8);  // K
  for (const char* measure : {"content_error", "content_error_rms", "position_error"})
    for (const double error : answer.curve(measure)) CHECK(error == 0);
  CHECK_FALSE(answer.has("linear_map_residual"));
}

TEST_CASE("relative shift fits a linear map only with 2 D positions to fit") {
  // 2 D = 32 even positions p with p + 1 < N: p = 0, 2 .. 62, so N = 64.
  const auto has_map = [](std::int64_t N) {
    return cells::run({"relative-shift", "rope", {{"length", whole(N)}, {"step", list({1})}}, {}, {16, 2, 64}})
        .has("linear_map_residual");
  };
  CHECK_FALSE(has_map(63));
  CHECK(has_map(64));
  CHECK(has_map(65));
}

TEST_CASE("relative shift of RoPE: rotation there and back is rotation at once, in float32 too as far as it goes") {
  Cell cell{"relative-shift", "rope", {{"length", whole(1000)}}, {}, {64, 4, 1000}};
  CHECK(cells::run(cell).scalar("composition_error") <= allowed(999));
  cell.axes.set("dtype", Value("float32"));
  const Answer in_float = cells::run(cell);
  CHECK(in_float.scalar("composition_error") <= 1e-5);
  CHECK(in_float.scalar("composition_error") > 1e-9);
  CHECK(in_float.curve("content_error")[0] <= 1e-5);
  CHECK(in_float.curve("content_error")[0] > 1e-9);
}

TEST_CASE(
    "relative shift of the index: logits grow with the shift, and no linear map leads on, as the code is affine") {
  const Answer answer = cells::run({"relative-shift",
                                    "index",
                                    {{"length", whole(300)}, {"shift", list({1, 100})}, {"step", list({1})}},
                                    {},
                                    {16, 2, 300}});
  CHECK(answer.curve("content_error")[1] > 10 * answer.curve("content_error")[0]);
  CHECK(answer.curve("linear_map_residual")[0] > 1e-4);
  CHECK(answer.scalar("share_position") > 0.5);
}

TEST_CASE("relative shift by half a position: as good as any where positions are real, undefined where they are not") {
  const cells::Values axes{{"length", whole(70)}, {"shift", list({0.5, 3})}};
  const Answer rope = cells::run({"relative-shift", "rope", axes, {}, {16, 2, 70}});
  CHECK(rope.curve("content_error")[0] <= allowed(64));
  const Answer learned = cells::run({"relative-shift", "learned", axes, {}, {16, 2, 70}});
  CHECK(std::isnan(learned.curve("content_error")[0]));
  CHECK(learned.curve("content_error")[1] > 0);
  CHECK_THAT(cells::run({"relative-shift", "rope", {{"length", whole(70)}, {"step", list({1.5})}}}).skip,
             check::contains("1.5"));
}

TEST_CASE("relative shift of one position and of two") {
  for (const std::string scheme : {"none", "index", "normalised-index", "sinusoidal", "learned", "rope", "alibi", "t5",
                                   "shaw", "transformer-xl"}) {
    for (const std::int64_t N : {1, 2}) {
      CAPTURE(scheme, N);
      const Answer answer = cells::run({"relative-shift", scheme, {{"length", whole(N)}}, {}, {16, 2, N}});
      REQUIRE(answer.skip.empty());
      CHECK(answer.curve("position_spread").size() == static_cast<std::size_t>(2 * N - 1));
      CHECK(std::isfinite(answer.scalar("toeplitz_residual_relative")));
    }
  }
}

TEST_CASE("relative shift: contents are the same for every scheme, and others in another repeat") {
  Cell cell{"relative-shift", "sinusoidal", {{"length", whole(70)}}, {}, {16, 2, 70}};
  const double first = cells::run(cell).scalar("share_content");
  CHECK(cells::run(cell).scalar("share_content") == first);
  cell.repeat = 1;
  CHECK(cells::run(cell).scalar("share_content") != first);
}
