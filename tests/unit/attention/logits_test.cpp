// SPDX-License-Identifier: Apache-2.0
// Logits against formulas written out, and position scores against theirs.
#include "poslab/attention/logits.hpp"

#include <cmath>

#include "catch.hpp"
#include "poslab/attention/position_score.hpp"
#include "schemes.hpp"

using namespace poslab;
using test::Index;
using test::Subject;
using View = base::View<const double>;

namespace {

constexpr Index H = 2, K = 4, N = 9;
const host::Model model{H * K, H, N};

double dot(const double* a, const double* b, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

struct Setting {
  base::Array<double> query = test::normal<double>("query", {H, N, K}), key = test::normal<double>("key", {H, N, K});
  base::Array<double> positions = test::positions(N);
  host::Context context{N, N, true};
};

// Logits [H, count, keys] of queries `first` ...
base::Array<double> logits_of(const Subject<double>& subject, const Setting& in, Index first, Index count, Index keys) {
  const auto transformed =
      attention::transform<double>(subject.scheme, in.context, in.positions, {in.query, in.key, {}}, subject.layer());
  base::Array<double> out{H, count, keys};
  attention::logits<double>(subject.scheme, in.context, in.positions, transformed, {}, first, subject.layer(), out);
  return out;
}

template <class Formula>
double worst(const base::Array<double>& logits, Index first, const Formula& formula) {
  double worst = 0;
  for (Index h = 0; h < logits.extent(0); ++h)
    for (Index i = 0; i < logits.extent(1); ++i)
      for (Index j = 0; j < logits.extent(2); ++j) {
        const double difference = std::abs(logits(h, i, j) - formula(h, first + i, j));
        if (std::isnan(difference)) return difference;  // no check passes with it
        worst = std::max(worst, difference);
      }
  return worst;
}

}  // namespace

TEST_CASE("logits: none, rope, alibi, t5 and shaw as their formulas say") {
  const Setting in;
  const double scale = 1 / std::sqrt(static_cast<double>(K));
  const auto product = [&](Index h, Index m, Index n) { return dot(&in.query(h, m, 0), &in.key(h, n, 0), K); };

  CHECK(worst(logits_of(Subject<double>("none", model), in, 0, N, N), 0,
              [&](Index h, Index m, Index n) { return scale * product(h, m, n); }) < 1e-15);
  CHECK(worst(logits_of(Subject<double>("alibi", model), in, 3, 4, 7), 3, [&](Index h, Index m, Index n) {
          return scale * product(h, m, n) - std::exp2(-4.0 * static_cast<double>(h + 1)) * static_cast<double>(m - n);
        }) < 1e-14);
  const Subject<double> t5("t5", model);
  CHECK(worst(logits_of(t5, in, 0, N, N), 0, [&](Index h, Index m, Index n) {
          return product(h, m, n) + t5.layer()[0](std::max<Index>(m - n, 0), h);
        }) < 1e-14);
  const Subject<double> shaw("shaw", model, {{"clip", std::int64_t{3}}});
  const View keys = shaw.layer()[0];
  CHECK(worst(logits_of(shaw, in, 0, N, N), 0, [&](Index h, Index m, Index n) {
          const Index row = std::clamp<Index>(n - m, -3, 3) + 3;
          return scale * (product(h, m, n) + dot(&in.query(h, m, 0), &keys(row, 0), K));
        }) < 1e-15);
  const Subject<double> rope("rope", model, {{"style", "interleaved"}});
  CHECK(worst(logits_of(rope, in, 0, N, N), 0, [&](Index h, Index m, Index n) {
          double sum = 0;
          for (Index plane = 0; plane < K / 2; ++plane) {
            const double angle = static_cast<double>(m - n) * std::pow(1e4, -2.0 * static_cast<double>(plane) / K);
            const double *q = &in.query(h, m, 2 * plane), *k = &in.key(h, n, 2 * plane);
            sum += std::cos(angle) * (q[0] * k[0] + q[1] * k[1]) + std::sin(angle) * (q[0] * k[1] - q[1] * k[0]);
          }
          return scale * sum;
        }) < 1e-14);
}

TEST_CASE("logits: tiles and prefixes are pieces of the whole") {
  const Setting in;
  for (const std::string& id : test::all_schemes) {
    CAPTURE(id);
    const Subject<double> subject(id, model);
    const base::Array<double> whole = logits_of(subject, in, 0, N, N);
    for (const auto& [first, count, keys] : {std::tuple<Index, Index, Index>{0, 3, 3}, {3, 4, 7}, {8, 1, 9}, {2, 5, 9}})
      CHECK(worst(logits_of(subject, in, first, count, keys), first,
                  [&](Index h, Index m, Index n) { return whole(h, m, n); }) < 1e-14);
  }
}

TEST_CASE("position scores: closed forms") {
  const base::Array<double> positions = test::positions(N);
  const host::Context context{N, N, false};
  const auto scores = [&](const Subject<double>& subject) {
    const attention::PositionScores<double> P(subject.scheme, context, positions, subject.layer());
    base::Array<double> all{P.heads(), N, N}, tile{P.heads(), 2, N};
    P.rows(0, all);
    P.rows(5, tile);
    CHECK(P.positions() == N);
    CHECK(worst(tile, 5, [&](Index h, Index m, Index n) { return all(h, m, n); }) < 1e-13);
    if (P.is_product()) {
      const Index width = P.left().shape[2];
      CHECK(worst(all, 0, [&](Index h, Index m, Index n) {
              return dot(&P.left()(h, m, 0), &P.right()(h, n, 0), width);
            }) < 1e-13);
    }
    return all;
  };
  const auto cosines = [](Index planes, Index offset) {
    double sum = 0;
    for (Index i = 0; i < planes; ++i)
      sum +=
          std::cos(static_cast<double>(offset) * std::pow(1e4, -static_cast<double>(i) / static_cast<double>(planes)));
    return sum;
  };
  const base::Array<double> sinusoid = scores(Subject<double>("sinusoidal", model));
  CHECK(sinusoid.extent(0) == 1);
  CHECK(worst(sinusoid, 0, [&](Index, Index m, Index n) { return cosines(H * K / 2, m - n); }) < 1e-13);
  CHECK(worst(scores(Subject<double>("rope", model)), 0,
              [&](Index, Index m, Index n) { return 2 * cosines(K / 2, m - n); }) < 1e-13);
  CHECK(worst(scores(Subject<double>("none", model)), 0, [](Index, Index, Index) { return double(K); }) == 0);
  const base::Array<double> alibi = scores(Subject<double>("alibi", model));
  CHECK(alibi.extent(0) == H);
  CHECK(worst(alibi, 0, [&](Index h, Index m, Index n) {
          return K - std::exp2(-4.0 * static_cast<double>(h + 1)) * static_cast<double>(m - n);
        }) < 1e-14);
  const Subject<double> t5("t5", model);
  CHECK(worst(scores(t5), 0,
              [&](Index h, Index m, Index n) { return K + t5.layer()[0](std::max<Index>(m - n, 0), h); }) < 1e-14);
  const Subject<double> shaw("shaw", model);
  const View keys = shaw.layer()[0];
  CHECK(worst(scores(shaw), 0, [&](Index, Index m, Index n) {
          double sum = K;
          for (Index a = 0; a < K; ++a) sum += keys(n - m + 16, a);
          return sum;
        }) < 1e-14);
}
