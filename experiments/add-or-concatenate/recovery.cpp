// SPDX-License-Identifier: Apache-2.0
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width, W width of what the probe sees, R rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parts.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/linear_fit.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::experiments::add_or_concatenate {
namespace {

template <class Number>
Array<Number> concatenated(const Drawn<Number>& drawn) {
  const auto R = static_cast<Index>(drawn.tokens.size());
  const Index D = drawn.width(), N = drawn.length();
  Array<Number> rows{R, 2 * D};
  for (Index r = 0; r < R; ++r) {
    std::copy_n(&drawn.embedding(drawn.tokens[base::at(r)], 0), D, &rows(r, 0));
    std::copy_n(&drawn.codes(r % N, 0), D, &rows(r, D));
  }
  return rows;
}

template <class Number>
Array<Number> added(const Array<Number>& pairs) {
  const Index R = pairs.extent(0), D = pairs.extent(1) / 2;
  Array<Number> rows{R, D};
  for (Index r = 0; r < R; ++r)
    for (Index k = 0; k < D; ++k) rows(r, k) = pairs(r, k) + pairs(r, D + k);
  return rows;
}

template <class Number>
Array<Number> projected(const Array<Number>& pairs, const Array<Number>& projection) {
  Array<Number> rows{pairs.extent(0), projection.extent(1)};
  numerics::multiply<Number>(pairs.view(), projection.view(), rows.data());
  return rows;
}

template <class Number>
Array<double> seen(const Drawn<Number>& drawn, Way way) {
  Array<Number> pairs = concatenated(drawn);
  if (way == Way::sum) return as<double>(added(pairs));
  if (way == Way::projected) return as<double>(projected(pairs, drawn.projection));
  return as<double>(pairs);
}

// Rows of the first half: the position, then a 1 for the token.
Array<double> targets(const std::vector<Index>& tokens, Index rows, Index N, Index V) {
  Array<double> out{rows, 1 + V};
  for (Index r = 0; r < rows; ++r) {
    out(r, 0) = static_cast<double>(r % N);
    out(r, 1 + tokens[base::at(r)]) = 1;
  }
  return out;
}

Index fitted_rows(Index rows, Index N) { return (rows / N + 1) / 2 * N; }

}  // namespace

template <class Number>
Recovery recovery(const Drawn<Number>& drawn, Way way) {
  const Index N = drawn.length(), V = drawn.embedding.extent(0), R = static_cast<Index>(drawn.tokens.size());
  const Index fitted = fitted_rows(R, N), held_out = R - fitted;
  const Array<double> rows = seen(drawn, way);
  const double rcond = std::numeric_limits<Number>::epsilon();
  const numerics::AffineFit fit =
      numerics::least_squares_with_intercept(rows.view().rows(0, fitted), targets(drawn.tokens, fitted, N, V), rcond);
  const Array<double> predicted = fit.map(rows.view().rows(fitted, held_out));
  Recovery wrong;
  for (Index r = 0; r < held_out; ++r) {
    if (!std::isfinite(predicted(r, 0)))
      throw data::not_finite("the position that least squares reads", fmt::format("token {} of a sequence", r % N),
                             predicted(r, 0));
    const double* scores = &predicted(r, 1);
    const Index token = std::max_element(scores, scores + V) - scores;
    wrong.position_error += std::abs(std::nearbyint(predicted(r, 0)) - static_cast<double>(r % N));
    wrong.token_error += token != drawn.tokens[base::at(fitted + r)];
  }
  return {wrong.position_error / static_cast<double>(held_out), wrong.token_error / static_cast<double>(held_out)};
}

Recovery chance(const std::vector<Index>& tokens, Index N, Index V) {
  const auto R = static_cast<Index>(tokens.size());
  const Index fitted = fitted_rows(R, N), held_out = R - fitted;
  std::vector<Index> count(static_cast<std::size_t>(V));
  for (Index r = 0; r < fitted; ++r) ++count[base::at(tokens[base::at(r)])];
  const Index commonest = std::max_element(count.begin(), count.end()) - count.begin();
  const double middle = std::nearbyint(static_cast<double>(N - 1) / 2);
  Recovery wrong;
  for (Index r = fitted; r < R; ++r) {
    wrong.position_error += std::abs(middle - static_cast<double>(r % N));
    wrong.token_error += tokens[base::at(r)] != commonest;
  }
  return {wrong.position_error / static_cast<double>(held_out), wrong.token_error / static_cast<double>(held_out)};
}

template Recovery recovery<float>(const Drawn<float>&, Way);
template Recovery recovery<double>(const Drawn<double>&, Way);

}  // namespace poslab::experiments::add_or_concatenate
