// SPDX-License-Identifier: Apache-2.0
// The cells of extrapolation: known answers, a second implementation without tiles, and the same bits on all threads.
#include <algorithm>
#include <cmath>
#include <map>

#include "catch.hpp"
#include "cells.hpp"
#include "poslab/attention/logits.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"
#include "same_bits.hpp"

using namespace poslab;
using base::Index;
using data::Value;

namespace {

constexpr Index D = 16, H = 2;

cells::Cell cell(const std::string& scheme, std::int64_t L, std::int64_t points,
                 std::vector<double> multiples = {1, 2, 4}) {
  return {"extrapolation",
          scheme,
          {{"train_length", Value(L)}, {"points", Value(points)}, {"multiple", Value(std::move(multiples))}},
          {},
          {D, H, L}};
}

// value(position) for every position of a curve
template <class Formula>
double worst(const cells::Answer& answer, const char* measure, const Formula& value) {
  const std::vector<double>& positions = answer.record.coordinate_of("position")->values;
  double worst = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double difference = std::abs(answer.curve(measure)[i] - value(positions[i]));
    if (std::isnan(difference)) return difference;  // no check passes with it
    worst = std::max(worst, difference);
  }
  return worst;
}

}  // namespace

TEST_CASE("extrapolation: ALiBi and the index go on and on, none has nothing to go on with") {
  const auto beyond = [](double p) { return std::max(p - 32 + 1, 0.0); };
  CHECK(worst(cells::run(cell("alibi", 32, 32)), "novelty", beyond) < 1e-12);
  CHECK(worst(cells::run(cell("index", 32, 8)), "novelty", beyond) < 1e-10);
  const cells::Answer none = cells::run(cell("none", 32, 32));
  CHECK(worst(none, "novelty", [](double) { return 0.0; }) == 0);
  CHECK(none.scalar("unseen_planes") == 0);
  CHECK(none.scalar("unseen_phase") == 0);
}

TEST_CASE("extrapolation: T5 and Shaw meet nothing new once training has reached their last bucket") {
  const auto largest = [](const char* scheme, std::int64_t L) {
    const cells::Answer answer = cells::run(cell(scheme, L, 64));
    return *std::max_element(answer.curve("novelty").begin(), answer.curve("novelty").end());
  };
  CHECK(largest("t5", 114) == 0);
  CHECK(largest("t5", 113) > 0);  // the last bucket begins at 113, which positions 0 .. 112 do not have
  CHECK(largest("shaw", 17) == 0);
  CHECK(largest("shaw", 16) > 0);
  CHECK(largest("transformer-xl", 32) > 0);
}

TEST_CASE("extrapolation: the code of the normalised index changes with the context, and stays within its range") {
  const cells::Answer answer = cells::run(cell("normalised-index", 8, 8));
  CHECK(worst(answer, "novelty", [](double p) {
          const double length = p < 8 ? 8 : p < 16 ? 16 : 32, code = p / (length - 1) * 7;  // in steps of training
          return std::abs(code - std::round(code));
        }) < 1e-12);
  // In the longest context alone, the first positions are new too.
  CHECK(cells::run(cell("normalised-index", 8, 8, {4})).curve("novelty")[1] > 0.2);
}

TEST_CASE("extrapolation: what training showed moves in a longer context, or does not") {
  // Position p moves from p / (L - 1) to p / (m L - 1), in steps of 1 / (L - 1).
  const double L = 8;
  const std::vector<double> moved = cells::run(cell("normalised-index", 8, 8, {1, 2, 4})).curve("context_change");
  REQUIRE(moved.size() == 3);
  for (const std::size_t i : {0, 1, 2}) {
    const double m = std::pow(2, i), of_p = (m - 1) * L / (m * L - 1);
    CHECK_THAT(moved[i], check::WithinAbs(of_p * std::sqrt((L - 1) * (2 * L - 1) / 6), 1e-12));
  }
  for (const char* id : {"none", "rope", "sinusoidal", "t5", "alibi", "shaw"})
    CHECK(cells::run(cell(id, 8, 8)).curve("context_change") == std::vector<double>{0, 0, 0});
  cells::Cell dynamic = cell("rope", 8, 8);
  dynamic.parameters = {{"scaling", Value("dynamic-ntk")}, {"factor", Value(4.0)}};
  CHECK(cells::run(dynamic).curve("context_change")[0] == 0);
  CHECK(cells::run(dynamic).curve("context_change")[2] > 0.1);
  // A table that ends in the middle of a context has no query at its end.
  cells::Cell table = cell("learned", 8, 8);
  table.parameters = {{"max_length", Value(std::int64_t{20})}};
  const std::vector<double> of_table = cells::run(table).curve("context_change");
  CHECK(of_table[1] == 0);
  CHECK(std::isnan(of_table[2]));
}

TEST_CASE("extrapolation: beyond a learned table nothing is defined, and the cell goes on") {
  cells::Cell table = cell("learned", 16, 16);
  table.parameters = {{"max_length", Value(std::int64_t{40})}};
  const cells::Answer answer = cells::run(table);
  REQUIRE(answer.skip.empty());
  CHECK(worst(answer, "defined", [](double p) { return p < 40 ? 1 : 0; }) == 0);
  for (std::size_t p = 0; p < 64; ++p)
    for (const char* measure : {"novelty", "untrained", "logit_drift", "equal_drift", "effective_window"}) {
      CAPTURE(p, measure);
      CHECK(std::isnan(answer.curve(measure)[p]) == (p >= 40));
    }
  CHECK(answer.curve("novelty")[15] == 0);
  CHECK(answer.curve("novelty")[16] > 0);
  CHECK_FALSE(answer.has("unseen_planes"));
  table.parameters = {{"max_length", Value(std::int64_t{10})}};
  CHECK_THAT(cells::run(table).skip, check::contains("position 15"));
}

TEST_CASE("extrapolation: 18 of LLaMA-2's 64 planes never turn within its 4096 positions") {
  cells::Cell llama{"extrapolation",
                    "rope",
                    {{"train_length", Value(std::int64_t{4096})},
                     {"points", Value(std::int64_t{1})},
                     {"multiple", Value(std::vector<double>{1})}},
                    {},
                    {128, 1, 4096}};
  const cells::Answer answer = cells::run(llama);
  CHECK(answer.scalar("unseen_planes") == 18);
  CHECK(answer.scalar("unseen_phase") == 18 / 64.0);
}

TEST_CASE("extrapolation: what cannot be asked is skipped with a sentence") {
  CHECK_THAT(cells::run(cell("rope", 8, 8, {1.5})).skip, check::contains("1.5"));
  CHECK_THAT(cells::run(cell("none", std::int64_t{1} << 52, 8, {1, 1e6})).skip,
             check::contains("1000000 times the trained length are 4.504e+21 positions, more than can be counted"));
  CHECK_THAT(cells::run(cell("rope", 8, 8, {})).skip, check::contains("empty"));
  CHECK(cells::run(cell("rope", 1, 8)).skip.empty());
  CHECK(cells::run(cell("rope", 2, 1, {3})).skip.empty());
}

// The same figures from whole logit matrices in natural order, sorted rows and two-pass moments.
namespace {

struct Naive {
  std::vector<double> mean_logit, window;  // by position
  double mean = 0, deviation = 0;          // of all pairs
};

// Queries from x, keys from y, [>= N, D]; without a scheme, no positions.
Naive naive_in_context(const host::Scheme* scheme, const host::Weights<double>& weights, const base::Array<double>& x,
                       const base::Array<double>& y, Index N, Index L) {
  const host::Context context{N, L, true};
  const double usual = 1 / std::sqrt(double(D) / H), factor = scheme ? usual / scheme->logit_scale() : 1;
  base::Array<double> positions{N, 1}, query{H, N, D / H}, key{H, N, D / H}, encoded{N, D}, input{N, D};
  for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
  const std::vector<base::View<const double>> views = weights.of_layer(0);
  if (scheme && scheme->has(host::Operation::encode)) scheme->encode<double>(context, positions, views, encoded);
  for (Index n = 0; n < N; ++n)
    for (Index c = 0; c < D; ++c) {
      query(c / (D / H), n, c % (D / H)) = factor * (x(n, c) + encoded(n, c));
      key(c / (D / H), n, c % (D / H)) = input(n, c) = y(n, c) + encoded(n, c);
    }
  base::Array<double> logits{H, N, N};
  if (scheme) {
    const auto transformed = attention::transform<double>(*scheme, context, positions, {query, key, input}, views);
    attention::logits<double>(*scheme, context, positions, transformed, input, 0, views, logits);
  } else {
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < N; ++m)
        for (Index n = 0; n < N; ++n)
          for (Index a = 0; a < D / H; ++a) logits(h, m, n) += usual * query(h, m, a) * key(h, n, a);
  }

  Naive naive;
  double count = 0;
  for (Index m = 0; m < N; ++m) {
    double mean = 0, window = 0;
    for (Index h = 0; h < H; ++h) {
      std::vector<double> weight;
      double sum = 0, held = 0, keys = 0;
      for (Index n = 0; n <= m; ++n) {
        mean += logits(h, m, n) / static_cast<double>(m + 1) / H;
        naive.mean += logits(h, m, n);
        count += 1;
        weight.push_back(std::exp(logits(h, m, n)));
        sum += weight.back();
      }
      std::sort(weight.rbegin(), weight.rend());
      for (; held < 0.9 * sum * (1 - 1e-12); ++keys) held += weight[static_cast<std::size_t>(keys)];
      window += keys / H;
    }
    naive.mean_logit.push_back(mean);
    naive.window.push_back(window);
  }
  naive.mean /= count;
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < N; ++m)
      for (Index n = 0; n <= m; ++n) naive.deviation += std::pow(logits(h, m, n) - naive.mean, 2) / count;
  naive.deviation = std::sqrt(naive.deviation);
  return naive;
}

// The drift at p in units of `deviation`; p is measured in the shortest of the contexts L, 2 L, 4 L.
struct NaiveContexts {
  std::map<Index, Naive> in;
  Index L;

  NaiveContexts(const host::Scheme* scheme, const host::Weights<double>& weights, const base::Array<double>& x,
                const base::Array<double>& y, Index train_length)
      : L(train_length) {
    for (const Index times : {1, 2, 4}) in[times] = naive_in_context(scheme, weights, x, y, times * L, L);
  }
  const Naive& of(double p) const {
    const auto length = static_cast<double>(L);
    return in.at(p < length ? 1 : p < 2 * length ? 2 : 4);
  }
  double drift(double p, double deviation) const {
    return (of(p).mean_logit[static_cast<std::size_t>(p)] - in.at(1).mean) / deviation;
  }
};

}  // namespace

TEST_CASE("extrapolation: drifts and windows as a second, naive implementation gives them") {
  const Index L = 12;
  for (const char* id :
       {"none", "index", "normalised-index", "sinusoidal", "rope", "alibi", "t5", "shaw", "transformer-xl", "tupe"})
    for (const std::int64_t points : {12, 4}) {
      CAPTURE(id, points);
      cells::Cell here = cell(id, L, points);
      if (here.scheme == "tupe") here.parameters = {{"max_length", Value(std::int64_t{4 * L})}};
      const cells::Answer answer = cells::run(here);
      const host::Scheme scheme(cells::plugin(id), here.parameters, {D, H, L});
      const data::Draws draws(20261121, "extrapolation", id, 0);
      const host::Weights<double> weights = scheme.draw_weights(draws);
      const base::Array<double> x = draws.normal("query", {4 * L, D}), y = draws.normal("key", {4 * L, D}),
                                one = draws.normal("equal", {1, D});
      base::Array<double> equal{4 * L, D};
      for (Index n = 0; n < 4 * L; ++n) std::copy_n(one.data(), D, &equal(n, 0));
      const NaiveContexts random(&scheme, weights, x, y, L), none(nullptr, {}, x, y, L),
          same(&scheme, weights, equal, equal, L);
      const double deviation = random.in.at(1).deviation, of_none = none.in.at(1).deviation;
      CHECK(worst(answer, "logit_drift", [&](double p) { return random.drift(p, deviation); }) < 1e-11);
      CHECK(worst(answer, "logit_drift_none", [&](double p) { return none.drift(p, of_none); }) < 1e-11);
      CHECK(worst(answer, "logit_drift_excess",
                  [&](double p) { return random.drift(p, deviation) - none.drift(p, of_none); }) < 1e-11);
      CHECK(worst(answer, "equal_drift", [&](double p) { return same.drift(p, deviation); }) < 1e-11);
      CHECK(worst(answer, "effective_window",
                  [&](double p) { return random.of(p).window[static_cast<std::size_t>(p)]; }) < 1e-12);
    }
}

TEST_CASE("extrapolation: where a scheme puts the scale changes neither drift nor window") {
  cells::Cell unscaled = cell("t5", 24, 24), scaled = unscaled;
  scaled.parameters = {{"scaled", Value(true)}};
  const cells::Answer a = cells::run(unscaled), b = cells::run(scaled);
  for (const char* measure : {"logit_drift", "equal_drift", "effective_window"}) {
    CAPTURE(measure);
    std::size_t index = 0;
    CHECK(worst(a, measure, [&](double) { return b.curve(measure)[index++]; }) < 1e-12);
  }
}

TEST_CASE("extrapolation: among equal tokens RoPE's logits fall beyond training, none's stay") {
  const Index L = 256, K = 16;
  double drift = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {
    cells::Cell here{
        "extrapolation",
        "rope",
        {{"train_length", Value(L)}, {"points", Value(std::int64_t{1})}, {"multiple", Value(std::vector<double>{8})}},
        {},
        {128, 8, L}};
    here.repeat = repeat;
    drift += cells::run(here).curve("equal_drift").back() / 6;
    here.scheme = "none";
    const cells::Answer none = cells::run(here);
    for (const double still : none.curve("equal_drift")) CHECK_THAT(still, check::WithinAbs(0, 1e-12));
  }
  // The logit of distance r is sum_j |x_j|^2 cos(r theta_j) / sqrt(K), with E |x_j|^2 = 2; random ones have variance 1.
  const auto logit = [&](Index r) {
    double sum = 0;
    for (Index j = 0; j < K / 2; ++j)
      sum += 2 * std::cos(static_cast<double>(r) * std::pow(1e4, -2.0 * static_cast<double>(j) / K)) / std::sqrt(K);
    return sum;
  };
  double beyond = 0, trained = 0;
  for (Index r = 0; r < 8 * L; ++r) beyond += logit(r) / static_cast<double>(8 * L);
  for (Index r = 0; r < L; ++r)
    trained += logit(r) * static_cast<double>(L - r) / (static_cast<double>(L) * static_cast<double>(L + 1) / 2);
  CHECK(beyond - trained < -1);
  // |x_j|^2 has relative deviation 1, and 8 heads times 6 repeats are averaged.
  CHECK_THAT(drift, check::WithinAbs(beyond - trained, 0.3));
}

TEST_CASE("extrapolation: ALiBi's logits fall as the mean distance grows, none's stay") {
  const std::int64_t L = 64;
  double none = 0, alibi = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    cells::Cell here = cell("none", L, 1, {1, 8});
    here.repeat = repeat;
    none += cells::run(here).curve("logit_drift").back() / 4;
    here.scheme = "alibi";
    alibi += cells::run(here).curve("logit_drift").back() / 4;
  }
  // Slopes 1/16 and 1/256: mean distance p/2 at p against (L - 1)/3 in training, where the logits vary by the contents
  // (1), the distances of both slopes, and between the slopes.
  const double p = 8 * 64 - 1, mean_slope = (1 / 16.0 + 1 / 256.0) / 2, square = (1 / 256.0 + 1 / 65536.0) / 2;
  const double mean = 63 / 3.0, mean_square = 63 * 64 / 6.0;
  const double variance = 1 + square * mean_square - std::pow(mean_slope * mean, 2);
  CHECK_THAT(none, check::WithinAbs(0, 0.1));
  CHECK_THAT(alibi, check::WithinAbs(-mean_slope * (p / 2 - mean) / std::sqrt(variance), 0.2));
}

TEST_CASE("extrapolation: float32 is near float64") {
  for (const char* id : {"rope", "sinusoidal", "shaw"}) {
    CAPTURE(id);
    cells::Cell single = cell(id, 16, 16);
    const cells::Answer twice = cells::run(single);
    single.axes.set("dtype", Value("float32"));
    const cells::Answer once = cells::run(single);
    std::size_t index = 0;
    CHECK(worst(once, "novelty", [&](double) { return twice.curve("novelty")[index++]; }) < 1e-5);
    index = 0;
    CHECK(worst(once, "logit_drift", [&](double) { return twice.curve("logit_drift")[index++]; }) < 1e-4);
  }
}

TEST_CASE("extrapolation: the same bits on 1, 2 and 8 threads") {
  for (const char* id : {"sinusoidal", "shaw", "transformer-xl"}) cells::check_same_bits(cell(id, 150, 150));
}
