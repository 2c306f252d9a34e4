// SPDX-License-Identifier: Apache-2.0
// Add-or-concatenate once more, by plain loops over its definition in long double: what the test compares with.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width, H heads, K head width.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "elimination.hpp"
#include "poslab/data/draws.hpp"

namespace naive {

using elimination::Array;
using elimination::Index;
using elimination::Row;

struct Sizes {
  Index N, D, V, S, H;
};

struct Wrong {
  double position = 0, token = 0;
};

class Mixture {
 public:
  Mixture(const poslab::data::Draws& draws, const Array<double>& codes, Sizes sizes)
      : sizes_(sizes), codes_(codes), embedding_(draws.normal("embedding", {sizes.V, sizes.D})) {
    const auto [N, D, V, S, H] = sizes;
    query_ = draws.normal("query", {2 * D, D});
    key_ = draws.normal("key", {2 * D, D});
    projection_ = draws.normal("projection", {2 * D, D});
    const poslab::base::Stream stream = draws.contents("tokens", {S, N, V});
    for (Index i = 0; i < S * N; ++i)
      tokens_.push_back(static_cast<Index>(stream.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(V))));
  }

  /// Least squares of minimum norm is the limit of ridge for a small penalty.
  Wrong recovered(const std::string& way) const {
    const auto [N, D, V, S, H] = sizes_;
    const Index fitted = (S + 1) / 2 * N, all = S * N, width = way == "concatenated" ? 2 * D : D;
    Array<double> x{fitted, width}, y{fitted, 1 + V};
    for (Index r = 0; r < fitted; ++r) {
      const Row features = features_of(r, way);
      for (Index k = 0; k < width; ++k) x(r, k) = static_cast<double>(features[static_cast<std::size_t>(k)]);
      y(r, 0) = static_cast<double>(r % N);
      y(r, 1 + token(r)) = 1;
    }
    std::vector<Row> fits;
    for (Index e = 0; e <= V; ++e) fits.push_back(elimination::normal_equations(x, y, e, 1e-11));
    Wrong wrong;
    for (Index r = fitted; r < all; ++r) {
      const Row features = features_of(r, way);
      Row scores;
      for (const Row& fit : fits) {
        scores.push_back(fit.back());
        for (std::size_t k = 0; k < features.size(); ++k) scores.back() += fit[k] * features[k];
      }
      const Index best = std::max_element(scores.begin() + 1, scores.end()) - scores.begin() - 1;
      const long double position = std::nearbyint(scores[0]);
      wrong.position += static_cast<double>(std::abs(position - static_cast<long double>(r % N)));
      wrong.token += best != token(r);
    }
    const auto held_out = static_cast<double>(all - fitted);
    return {wrong.position / held_out, wrong.token / held_out};
  }

  /// The shares of x-x, x-p, p-x, p-p.
  std::vector<double> shares(bool own_blocks) const {
    const auto [N, D, V, S, H] = sizes_;
    const Index K = D / H, block = own_blocks ? D : 0;
    std::vector<double> sums(4);
    for (Index s = 0; s < S; ++s)
      for (Index h = 0; h < H; ++h)
        for (Index m = 0; m < N; ++m)
          for (std::size_t term = 0; term < 4; ++term) {
            const bool query_is_code = term >= 2, key_is_code = term % 2 == 1;
            Row logits;
            for (Index n = 0; n < N; ++n) {
              long double logit = 0;
              for (Index a = h * K; a < (h + 1) * K; ++a) {
                long double q = 0, k = 0;
                for (Index i = 0; i < D; ++i) {
                  q += query_is_code ? codes_(m, i) * query_(block + i, a)
                                     : embedding_(token(s * N + m), i) * query_(i, a);
                  k += key_is_code ? codes_(n, i) * key_(block + i, a) : embedding_(token(s * N + n), i) * key_(i, a);
                }
                logit += q * k;
              }
              logits.push_back(logit);
            }
            long double mean = 0, variance = 0;
            for (const long double logit : logits) mean += logit / static_cast<long double>(N);
            for (const long double logit : logits)
              variance += (logit - mean) * (logit - mean) / static_cast<long double>(N);
            sums[term] += static_cast<double>(variance);
          }
    const double all = sums[0] + sums[1] + sums[2] + sums[3];
    for (double& sum : sums) sum = all > 0 ? sum / all : 0;
    return sums;
  }

 private:
  Index token(Index r) const { return tokens_[static_cast<std::size_t>(r)]; }

  Row features_of(Index r, const std::string& way) const {
    const Index D = sizes_.D;
    Row pair, out;
    for (Index k = 0; k < D; ++k) pair.push_back(embedding_(token(r), k));
    for (Index k = 0; k < D; ++k) pair.push_back(codes_(r % sizes_.N, k));
    if (way == "concatenated") return pair;
    for (Index j = 0; j < D; ++j) {
      long double sum = 0;
      if (way == "sum") sum = pair[static_cast<std::size_t>(j)] + pair[static_cast<std::size_t>(D + j)];
      if (way == "projected")
        for (Index i = 0; i < 2 * D; ++i)
          sum += pair[static_cast<std::size_t>(i)] * projection_(i, j) / std::sqrt(2.0L * static_cast<long double>(D));
      out.push_back(sum);
    }
    return out;
  }

  Sizes sizes_;
  const Array<double>& codes_;
  Array<double> embedding_, query_, key_, projection_;
  std::vector<Index> tokens_;
};

}  // namespace naive
