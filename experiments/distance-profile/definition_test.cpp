// SPDX-License-Identifier: Apache-2.0
// Logits by distance by plain loops over the definition, with the formulas of the schemes instead of their plugins.
// Dimension letters: N positions, D model width, H heads, K head width, C contents.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "distance_profile_cells.hpp"
#include "poslab/base/array.hpp"
#include "poslab/data/draws.hpp"

namespace {

using namespace distance_profile_cells;
using poslab::base::Array;
using poslab::data::Draws;

// The sinusoid of position p in one of D channels.
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
            const double* q = content(c, h, m, true);
            const auto moved = [&](Index key) {
              const double* k = content(c, h, key, false);
              double product = 0;
              for (Index a = 0; a < K; ++a) product += q[a] * k[a];
              return logit(q, k, h, m, key) - product / std::sqrt(static_cast<double>(K));
            };
            const double s = logit(q, content(c, h, n, false), h, m, n);
            logits.push_back(s), sum += s, changes += moved(n) - moved(m);
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
      const double rotate = static_cast<double>(m - n) * angle(a / 2, K);  // Re(q k* exp(i (m - n) theta))
      sum += std::cos(rotate) * (q[a] * k[a] + q[a + 1] * k[a + 1]) +
             std::sin(rotate) * (q[a] * k[a + 1] - q[a + 1] * k[a]);
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
