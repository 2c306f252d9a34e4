// SPDX-License-Identifier: Apache-2.0
// Logits by distance against known answers, closed forms, and plain loops over the definition.
// Dimension letters: N positions, D model width, H heads, K head width, C contents.
#include <cmath>
#include <functional>

#include "catch.hpp"
#include "cells.hpp"
#include "same_bits.hpp"
#include "shipped.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::base::Array;
using poslab::data::Draws;
using poslab::data::Placement;
using poslab::data::Value;

using cells::whole;

Cell cell(const std::string& scheme, std::int64_t N, std::int64_t C = 2, Index D = 64, Index H = 8) {
  return {"distance-profile", scheme, {{"length", whole(N)}, {"contents", whole(C)}}, {}, {D, H, N}};
}

double slope(Index h) { return std::exp2(-static_cast<double>(h + 1)); }  // ALiBi of 8 heads
constexpr double mean_slope = 255.0 / 256 / 8;

double angle(Index plane, Index K) { return std::pow(1e4, -2 * static_cast<double>(plane) / static_cast<double>(K)); }

double sum_of_cosines(double distance, Index K) {
  double sum = 0;
  for (Index j = 0; j < K / 2; ++j) sum += std::cos(distance * angle(j, K));
  return sum;
}

void check_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    REQUIRE_THAT(a[i], check::WithinAbs(b[i], tolerance * (1 + std::abs(b[i]))));
  }
}

// Channel k of head h of a vector x at position p, as the scheme changes it; `neighbour` is its partner's value.
double sinusoid(Index p, Index channel, Index D) {
  const double w = std::pow(1e4, -static_cast<double>(channel - channel % 2) / static_cast<double>(D));
  return channel % 2 ? std::cos(static_cast<double>(p) * w) : std::sin(static_cast<double>(p) * w);
}

struct Naive {
  std::vector<double> mean, deviation, change, head_mean;
};

// By the definition, a pair after the other. vector(h, token) is a token's query or key without positions,
// logit(q, k, h, m, n) the scaled logit of two of them at m and n.
using Content = std::function<const double*(Index c, Index h, Index token, bool is_query)>;
using Logit = std::function<double(const double* q, const double* k, Index h, Index m, Index n)>;
Naive naive(Index N, Index C, Index H, Index K, bool both, const Content& content, const Logit& logit) {
  Naive out;
  for (Index head = -1; head < H; ++head)  // first all of them
    for (Index r = both ? 1 - N : 0; r < N; ++r) {
      std::vector<double> logits;
      double sum = 0, squares = 0, changes = 0;
      for (Index c = 0; c < C; ++c)
        for (Index h = 0; h < H; ++h)
          for (Index m = 0; m < N; ++m) {
            const Index n = m - r;
            if (n < 0 || n >= N || (head >= 0 && h != head)) continue;
            const double *q = content(c, h, m, true), *k = content(c, h, n, false);
            double product = 0;
            for (Index a = 0; a < K; ++a) product += q[a] * k[a];
            const double s = logit(q, k, h, m, n);
            logits.push_back(s), sum += s, changes += s - product / std::sqrt(static_cast<double>(K));
          }
      const double count = static_cast<double>(logits.size()), mean = sum / count;
      (head < 0 ? out.mean : out.head_mean).push_back(mean);
      if (head >= 0) continue;
      for (const double s : logits) squares += (s - mean) * (s - mean);
      out.deviation.push_back(std::sqrt(squares / count));
      out.change.push_back(changes / count);
    }
  return out;
}

Draws draws() { return {20261121, "distance-profile", "", 0}; }

}  // namespace

TEST_CASE("distance-profile: additive, rotary and bias schemes by plain loops over the definition") {
  const Index N = 150, C = 2, H = 2, K = 6, D = H * K;  // more than one tile of queries
  const std::string scheme = GENERATE("sinusoidal", "rope", "alibi");
  const bool both = GENERATE(false, true);
  CAPTURE(scheme, both);
  Cell here = cell(scheme, N, C, D, H);
  if (both) here.axes.set("offsets", Value("both"));
  if (scheme == "alibi") here.parameters = {{"form", Value("symmetric")}};
  const Answer answer = cells::run(here);

  std::vector<Array<double>> query, key, equal;
  for (const char* c : {"0", "1"}) {
    query.push_back(draws().normal(std::string("query of content ") + c, {H, N, K}));
    key.push_back(draws().normal(std::string("key of content ") + c, {H, N, K}));
    equal.push_back(draws().normal(std::string("equal content ") + c, {H, K}));
  }
  const std::vector<double> ones(static_cast<std::size_t>(K), 1.0);
  const Logit logit = [&](const double* q, const double* k, Index h, Index m, Index n) {
    double sum = 0;
    for (Index a = 0; a < K; ++a) {
      if (scheme == "alibi") sum += q[a] * k[a];
      if (scheme == "sinusoidal") sum += (q[a] + sinusoid(m, h * K + a, D)) * (k[a] + sinusoid(n, h * K + a, D));
      if (scheme != "rope" || a % 2) continue;
      const double turn = static_cast<double>(m - n) * angle(a / 2, K);  // Re(q k* exp(i (m - n) theta))
      sum +=
          std::cos(turn) * (q[a] * k[a] + q[a + 1] * k[a + 1]) + std::sin(turn) * (q[a] * k[a + 1] - q[a + 1] * k[a]);
    }
    const double bias =
        scheme == "alibi" ? -std::exp2(-4.0 * static_cast<double>(h + 1)) * std::abs(static_cast<double>(m - n)) : 0;
    return sum / std::sqrt(static_cast<double>(K)) + bias;
  };
  const auto compare = [&](const std::string& kind, Index contents, const Content& content) {
    CAPTURE(kind);
    const Naive plain = naive(N, contents, H, K, both, content, logit);
    check_near(answer.curve("mean_" + kind), plain.mean, 1e-12);
    check_near(answer.curve("change_" + kind), plain.change, 1e-12);
    check_near(answer.curve("head_mean_" + kind), plain.head_mean, 1e-12);
    check_near(answer.curve("deviation_" + kind), plain.deviation, 1e-12);
  };
  const auto at = [](const std::vector<Array<double>>& x, Index c) { return x[static_cast<std::size_t>(c)].view(); };
  compare("random", C,
          [&](Index c, Index h, Index t, bool is_query) { return &at(is_query ? query : key, c)(h, t, 0); });
  compare("equal", C, [&](Index c, Index h, Index, bool) { return &at(equal, c)(h, 0); });
  compare("ones", 1, [&](Index, Index, Index, bool) { return ones.data(); });
}

TEST_CASE("distance-profile of nothing: no change, no fall, no length") {
  const Answer answer = cells::run(cell("none", 200, 16));
  for (const std::string kind : {"random", "equal", "ones"}) {
    CAPTURE(kind);
    for (const double change : answer.curve("change_" + kind)) REQUIRE(change == 0);
    CHECK(answer.scalar("fall_" + kind) == 0);
    CHECK(std::isnan(answer.scalar("first_rise_" + kind)));
    CHECK(answer.scalar("monotonicity_" + kind) == 1);
    CHECK(std::isnan(answer.scalar("decay_length_" + kind)));
  }
  CHECK(answer.scalar("fall_error_random") == 0);
  for (const double mean : answer.curve("mean_ones")) REQUIRE_THAT(mean, check::WithinAbs(std::sqrt(8.0), 1e-14));
  for (const double deviation : answer.curve("deviation_ones")) REQUIRE(deviation <= 1e-14);
  // Content logits of unit variance: 16 contents, 8 heads and 200 pairs at distance 0.
  CHECK_THAT(answer.curve("deviation_random")[0], check::WithinAbs(1.0, 0.03));
  CHECK_THAT(answer.curve("mean_random")[0], check::WithinAbs(0.0, 4 / std::sqrt(25600.0)));
  for (const double attended : answer.curve("attended_distance"))
    CHECK_THAT(attended, check::WithinAbs(199.0 / 2, 1e-10));
  CHECK_FALSE(answer.has("bound"));
  CHECK_FALSE(answer.has("asymmetry_ones"));
}

TEST_CASE("distance-profile of ALiBi: a head looks back by the mean of a geometric distribution, cut off at N") {
  for (const std::int64_t N : {1, 2, 30, 300}) {
    const Answer answer = cells::run(cell("alibi", N, 1));
    for (Index h = 0; h < 8; ++h) {
      const auto length = static_cast<double>(N);
      CAPTURE(N, h);
      CHECK_THAT(answer.curve("attended_distance")[static_cast<std::size_t>(h)],
                 check::WithinAbs(1 / std::expm1(slope(h)) - length / std::expm1(length * slope(h)), 1e-11));
    }
  }
  Cell both = cell("alibi", 30, 1);
  both.axes.set("offsets", Value("both"));
  both.parameters = {{"form", Value("symmetric")}};
  CHECK_THAT(cells::run(both).curve("attended_distance")[0],
             check::WithinAbs(1 / std::expm1(0.5) - 30 / std::expm1(15.0), 1e-11));  // keys before the query alone
}

TEST_CASE("distance-profile of RoPE with 128 channels: it falls at every step up to distance 11") {
  CHECK(cells::run(cell("rope", 40, 1, 128, 1)).scalar("first_rise_ones") == 11);
}

TEST_CASE("distance-profile of ALiBi: -slope r for any contents, fallen by 1 after 1 / slope") {
  const Answer answer = cells::run(cell("alibi", 300));
  for (const std::string kind : {"random", "equal", "ones"}) {
    CAPTURE(kind);
    for (std::size_t r = 0; r < 300; ++r)
      REQUIRE_THAT(answer.curve("change_" + kind)[r], check::WithinAbs(-mean_slope * static_cast<double>(r), 1e-11));
    CHECK(answer.scalar("monotonicity_" + kind) == 1);
    CHECK(answer.scalar("decay_length_" + kind) == std::ceil(1 / mean_slope));
    for (Index h = 0; h < 8; ++h)
      CHECK(answer.curve("head_decay_length_" + kind)[static_cast<std::size_t>(h)] == 1 / slope(h));
    CHECK_THAT(answer.scalar("fall_" + kind), check::WithinAbs(mean_slope * 224.5, 1e-11));  // of 150 .. 299
  }
}

TEST_CASE(
    "distance-profile of RoPE: cosines for ones, the energy's cosines for equal contents, nothing for random ones") {
  const Answer answer = cells::run(cell("rope", 1001, 4, 64, 1));
  // The design's table of 64 channels: the same as twice the sinusoid's Gram matrix.
  const std::vector<double>& ones = answer.curve("mean_ones");
  for (const auto& [r, product] : {std::pair{0, 64.000}, {1, 61.834}, {10, 42.103}, {100, 35.749}, {1000, 17.852}})
    CHECK_THAT(8 * ones[static_cast<std::size_t>(r)], check::WithinAbs(product, 1e-3));
  for (std::size_t r = 0; r < ones.size(); ++r)
    REQUIRE_THAT(ones[r], check::WithinAbs(2 * sum_of_cosines(static_cast<double>(r), 64) / 8, 1e-11));
  for (const double change : answer.curve("change_equal")) REQUIRE(change <= 1e-9);  // no distance beats 0
  CHECK(answer.scalar("fall_equal") > 1);
  CHECK_THAT(answer.scalar("fall_random"), check::WithinAbs(0.0, 5 * answer.scalar("fall_error_random")));
  CHECK(answer.scalar("monotonicity_ones") < 1);
}

TEST_CASE("distance-profile of T5: level beyond its greatest distance, wherever the scale is") {
  Cell here = cell("t5", 300);
  const Answer answer = cells::run(here);
  for (std::size_t r = 114; r < 300; ++r)
    REQUIRE_THAT(answer.curve("change_random")[r], check::WithinAbs(answer.curve("change_random")[113], 1e-12));
  CHECK(std::abs(answer.curve("change_random")[113] - answer.curve("change_random")[90]) > 1e-6);
  here.parameters = {{"scaled", Value(true)}};
  check_near(cells::run(here).curve("deviation_random"), answer.curve("deviation_random"), 1e-12);
}

TEST_CASE("distance-profile of Kerple: each head falls by its logarithm") {
  const Index N = 120, H = 4;
  const Answer answer = cells::run(cell("kerple", N, 2, 32, H));
  const poslab::host::Scheme scheme(cells::plugin("kerple"), {}, {32, H, N});
  const auto weights = scheme.draw_weights(Draws(20261121, "distance-profile", "kerple", 0));
  for (Index h = 0; h < H; ++h)
    for (Index r = 0; r < N; ++r) {
      const double a = std::max(0.01, weights.of_layer(0)[0](h)), p = std::max(0.01, weights.of_layer(0)[1](h));
      REQUIRE_THAT(answer.curve("head_mean_ones")[static_cast<std::size_t>(h * N + r)],
                   check::WithinAbs(std::sqrt(8.0) - p * std::log1p(a * static_cast<double>(r)), 1e-12));
    }
}

TEST_CASE("distance-profile: both sides of the query") {
  const auto asymmetry = [](const std::string& scheme, const char* form, const std::string& kind) {
    Cell here = cell(scheme, 50);
    here.axes.set("offsets", Value("both"));
    if (form) here.parameters = {{"form", Value(form)}};
    const Answer answer = cells::run(here);
    REQUIRE(answer.skip.empty());
    CHECK(answer.record.coordinate_of("distance")->values.front() == -49);
    CHECK(answer.curve("mean_random").size() == 99);
    return answer.scalar("asymmetry_" + kind);
  };
  CHECK(asymmetry("none", nullptr, "random") == 0);
  CHECK(asymmetry("alibi", "symmetric", "random") <= 1e-13);
  CHECK_THAT(asymmetry("alibi", "asymmetric", "ones"), check::WithinAbs(mean_slope / 2, 1e-13));  // half a step apart
  CHECK(asymmetry("rope", nullptr, "ones") <= 1e-13);
  CHECK(asymmetry("rope", nullptr, "equal") <= 1e-13);
  CHECK_THAT(cells::run([] {
               Cell here = cell("fox", 20);
               here.axes.set("offsets", Value("both"));
               return here;
             }())
                 .skip,
             check::contains("causal"));
}

TEST_CASE("distance-profile elsewhere than at 0, 1, 2 ...") {
  Cell here = cell("rope", 60);
  const Answer plain = cells::run(here);
  here.placement.policy = Placement::Policy::shifted;
  here.placement.by = 1000;
  check_near(cells::run(here).curve("mean_random"), plain.curve("mean_random"), 1e-10);
  here.placement.policy = Placement::Policy::randomised;
  here.placement.range = 1000;
  CHECK_THAT(cells::run(here).skip, check::contains("uneven"));
}

TEST_CASE("distance-profile on a grid: the length of the offset, rounded") {
  const Index rows = 4, columns = 6, K = 16;
  Cell here = cell("sincos-2d", rows * columns, 2, K, 1);
  here.placement = cells::grid({rows, columns});
  here.axes.set("offsets", Value("both"));
  const Answer answer = cells::run(here);
  REQUIRE(answer.skip == "");
  CHECK(answer.record.coordinate_of("distance")->values == std::vector<double>{0, 1, 2, 3, 4, 5, 6});
  std::vector<double> sum(7), count(7);
  for (Index m = 0; m < rows * columns; ++m)
    for (Index n = 0; n < rows * columns; ++n) {
      // (1 + p) . (1 + q), p and q by MAE: sines and cosines of the column, then of the row.
      double product = 0;
      for (Index channel = 0; channel < K; ++channel) {
        const Index part = channel / (K / 4);
        const double w = std::pow(1e4, -static_cast<double>(channel % (K / 4)) / static_cast<double>(K / 4));
        const auto code = [&](Index token) {
          const double at = w * static_cast<double>(part < 2 ? token % columns : token / columns);
          return part % 2 ? std::cos(at) : std::sin(at);
        };
        product += (1 + code(m)) * (1 + code(n));
      }
      const auto down = static_cast<double>(m / columns - n / columns),
                 along = static_cast<double>(m % columns - n % columns);
      const auto bin = static_cast<std::size_t>(std::lround(std::sqrt(down * down + along * along)));
      sum[bin] += product / 4, count[bin] += 1;
    }
  for (std::size_t r = 0; r < 7; ++r)
    CHECK_THAT(answer.curve("mean_ones")[r], check::WithinAbs(sum[r] / count[r], 1e-12));
}

TEST_CASE("distance-profile of one position and of two") {
  for (const std::string scheme : {"none", "sinusoidal", "rope", "alibi", "t5", "shaw"}) {
    CAPTURE(scheme);
    const Answer one = cells::run(cell(scheme, 1)), two = cells::run(cell(scheme, 2));
    CHECK(one.curve("mean_random").size() == 1);
    CHECK(std::isnan(one.scalar("fall_random")));
    CHECK(std::isnan(one.scalar("monotonicity_ones")));
    CHECK(std::isnan(one.scalar("decay_length_ones")));
    CHECK(two.scalar("fall_ones") == two.curve("change_ones")[0] - two.curve("change_ones")[1]);
  }
}

TEST_CASE("distance-profile: every shipped scheme has one, or a sentence why not") {
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    Cell here = cell(id, 36, 2, 48, 2);
    Answer answer = cells::run(here);
    if (!answer.skip.empty()) {
      CHECK(answer.skip.find(' ') != std::string::npos);
      CHECK_THAT(answer.skip, check::contains("axes"));  // on a grid, then
      here.placement = cells::grid({6, 6});
      answer = cells::run(here);
    }
    REQUIRE(answer.skip == "");
    for (const std::string kind : {"random", "equal", "ones"}) CHECK(std::isfinite(answer.scalar("fall_" + kind)));
  }
}

TEST_CASE("distance-profile: float32 is near float64") {
  for (const std::string scheme : {"alibi", "rope", "sinusoidal"}) {
    CAPTURE(scheme);
    Cell here = cell(scheme, 100);
    const Answer twice = cells::run(here);
    here.axes.set("dtype", Value("float32"));
    const Answer once = cells::run(here);
    for (const std::string kind : {"random", "equal", "ones"}) {
      check_near(once.curve("mean_" + kind), twice.curve("mean_" + kind), 1e-5);
      CHECK(once.scalar("monotonicity_" + kind) == twice.scalar("monotonicity_" + kind));
    }
    if (scheme == "alibi") CHECK(once.curve("head_decay_length_ones")[5] == 64);
  }
}

TEST_CASE("distance-profile: the same bits on 1, 2 and 8 threads") { cells::check_same_bits(cell("shaw", 200, 9)); }
