// SPDX-License-Identifier: Apache-2.0
// (x + p) W = [x; p] [W; W]: a network that concatenates and ties its two blocks is the network that adds.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width.
#include <algorithm>
#include <cmath>

#include "parts.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/products.hpp"

namespace poslab::experiments::add_or_concatenate {
namespace {

// [W; W]
template <class Number>
Array<Number> stacked(const Array<Number>& query) {
  const Index D = query.extent(1);
  Array<Number> both{2 * D, D};
  for (Index block = 0; block < 2; ++block) std::copy_n(query.data(), D * D, &both(block * D, 0));
  return both;
}

template <class Number>
std::vector<double> column_norms(const Array<Number>& matrix) {
  std::vector<double> norms(static_cast<std::size_t>(matrix.extent(1)));
  for (Index i = 0; i < matrix.extent(0); ++i)
    for (Index j = 0; j < matrix.extent(1); ++j)
      norms[base::at(j)] += static_cast<double>(matrix(i, j)) * static_cast<double>(matrix(i, j));
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

}  // namespace

template <class Number>
double identity_error(const Drawn<Number>& drawn) {
  const Index N = drawn.length(), D = drawn.width();
  const Array<Number> tied = stacked(drawn.query);
  const std::vector<double> norms = column_norms(tied);
  Array<Number> sum{N, D}, pair{N, 2 * D}, of_sum{N, D}, of_pair{N, D};
  double worst = 0;
  for (Index s = 0; s < drawn.sequences(); ++s) {
    for (Index n = 0; n < N; ++n)
      for (Index k = 0; k < D; ++k) {
        const Number x = drawn.embedding(drawn.tokens[base::at(s * N + n)], k);
        pair(n, k) = x, pair(n, D + k) = drawn.codes(n, k);
        sum(n, k) = x + drawn.codes(n, k);
      }
    numerics::multiply<Number>(sum.view(), drawn.query.view().rows(0, D), of_sum.data());
    numerics::multiply<Number>(pair.view(), tied.view(), of_pair.data());
    for (Index n = 0; n < N; ++n) {
      const double norm = std::sqrt(numerics::sum_of_squares(&pair(n, 0), 2 * D));
      for (Index j = 0; j < D; ++j) {
        const double difference = static_cast<double>(of_sum(n, j)) - static_cast<double>(of_pair(n, j));
        if (difference != 0) worst = std::max(worst, std::abs(difference) / (norm * norms[base::at(j)]));
      }
    }
  }
  return worst;
}

template double identity_error<float>(const Drawn<float>&);
template double identity_error<double>(const Drawn<double>&);

}  // namespace poslab::experiments::add_or_concatenate
