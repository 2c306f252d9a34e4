// SPDX-License-Identifier: Apache-2.0
// Drifts and windows of extrapolation from whole logit matrices in natural order, sorted rows and two-pass moments: a
// second implementation without tiles.
// Dimension letters: N positions of a context, L trained length, D model width, H heads.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"
#include "extrapolation_cells.hpp"
#include "poslab/attention/logits.hpp"
#include "poslab/base/random.hpp"
#include "poslab/data/draws.hpp"

using namespace poslab;
using namespace extrapolation_cells;
using base::Index;

namespace {

struct Naive {
  std::vector<double> mean_logit, less_own, window;  // by position
  double mean = 0, deviation = 0;                    // of all pairs
  double mean_less_own = 0, deviation_of_keys = 0;   // less the logit for the own key, and less the query's mean
};

// Queries from x, keys from y, [>= N, D]; without a scheme, no positions.
Naive naive_in_context(const host::Scheme* scheme, const host::Weights<double>& weights, const base::Array<double>& x,
                       const base::Array<double>& y, Index N, Index L) {
  const host::Context context{N, L, true};
  const double usual = 1 / std::sqrt(double(D) / H), factor = scheme ? usual / scheme->logit_scale() : 1;
  base::Array<double> positions{N, 1}, query{H, N, D / H}, key{H, N, D / H}, encoded{N, D}, input{N, D};
  for (Index n = 0; n < N; ++n) positions(n, 0) = static_cast<double>(n);
  const std::vector<base::View<const double>> views = weights.layer(0);
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
    double mean = 0, window = 0, less_own = 0;
    for (Index h = 0; h < H; ++h) {
      std::vector<double> weight;
      double sum = 0, held = 0, keys = 0, of_query = 0;
      for (Index n = 0; n <= m; ++n) of_query += logits(h, m, n) / static_cast<double>(m + 1);
      for (Index n = 0; n <= m; ++n) naive.deviation_of_keys += std::pow(logits(h, m, n) - of_query, 2);
      less_own += (of_query - logits(h, m, m)) / H;
      naive.mean_less_own += (of_query - logits(h, m, m)) * static_cast<double>(m + 1);
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
    naive.less_own.push_back(less_own);
    naive.window.push_back(window);
  }
  naive.mean /= count;
  naive.mean_less_own /= count;
  naive.deviation_of_keys = std::sqrt(naive.deviation_of_keys / count);
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
  double drift_less_own(double p, double deviation) const {
    return (of(p).less_own[static_cast<std::size_t>(p)] - in.at(1).mean_less_own) / deviation;
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
      const double deviation = random.in.at(1).deviation, of_none = none.in.at(1).deviation,
                   of_keys = random.in.at(1).deviation_of_keys;
      CHECK(worst(answer, "logit_drift", [&](double p) { return random.drift(p, deviation); }) < 1e-11);
      CHECK(worst(answer, "logit_drift_none", [&](double p) { return none.drift(p, of_none); }) < 1e-11);
      CHECK(worst(answer, "logit_drift_excess",
                  [&](double p) { return random.drift(p, deviation) - none.drift(p, of_none); }) < 1e-11);
      CHECK(worst(answer, "equal_drift", [&](double p) { return same.drift_less_own(p, of_keys); }) < 1e-11);
      CHECK(worst(answer, "effective_window",
                  [&](double p) { return random.of(p).window[static_cast<std::size_t>(p)]; }) < 1e-12);
    }
}
