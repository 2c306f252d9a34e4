// SPDX-License-Identifier: Apache-2.0
#include "context.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/attention/attention.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments::u_shape {
namespace {

Array<double> empty_attention_of(const host::Scheme& scheme, View<const double> positions,
                                 std::vector<View<const double>> weights, Index layer) {
  const Index N = positions.shape[0], H = scheme.model().heads, K = scheme.model().head_width();
  const Array<double> zeros{H, N, K}, no_input{N, H * K};
  const attention::Layer<double> here{&scheme, {N, N, true}, positions, std::move(weights), layer};
  Array<double> mean{N, N};
  attention::attend<double>(here, {zeros, zeros, no_input}, {}, {}, [&](Index, Index first, View<const double> seen) {
    const Index Nq = seen.shape[1], Nk = seen.shape[2];
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j < Nk; ++j) mean(first + i, j) += seen(h, i, j) / static_cast<double>(H);
  });
  return mean;
}

}  // namespace

Index different_layers(const host::Scheme& scheme, Index layers) {
  const bool differ = std::any_of(scheme.weights().begin(), scheme.weights().end(),
                                  [](const host::WeightInfo& weight) { return weight.per_layer; });
  return differ ? layers : 1;
}

std::vector<Array<double>> empty_attention(const ExperimentInput& input, Index length, Index layers) {
  const host::Weights<double> weights = draw_weights<double>(input, layers);
  const Array<double> positions = input.positions(length);
  std::vector<Array<double>> all;
  for (Index l = 0; l < different_layers(input.scheme, layers); ++l)
    all.push_back(empty_attention_of(input.scheme, positions, weights.layer(l), l));
  return all;
}

std::vector<double> last_context(const std::vector<Array<double>>& attention, Index depth, double mixing) {
  const auto N = static_cast<std::size_t>(attention.front().extent(0));
  std::vector<double> row(N, 0.0), next(N);
  row.back() = 1;
  for (Index l = depth; l-- > 0;) {
    const Array<double>& A = attention[attention.size() == 1 ? 0 : static_cast<std::size_t>(l)];
    for (std::size_t j = 0; j < N; ++j) next[j] = (1 - mixing) * row[j];
    for (std::size_t i = 0; i < N; ++i) {
      const double* const of_row = &A(static_cast<Index>(i), 0);
      for (std::size_t j = 0; j <= i; ++j) next[j] += mixing * row[i] * of_row[j];
    }
    row.swap(next);
  }
  return row;
}

double mean_distance(const std::vector<double>& row) {
  double sum = 0;
  for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * static_cast<double>(row.size() - 1 - j);
  return sum;
}

double middle_limit(Index depth, double mixing) {
  double sum = 0;
  for (Index k = 1; k <= depth; ++k) {
    const auto t = static_cast<double>(depth), n = static_cast<double>(k);
    const double choices = std::lgamma(t + 1) - std::lgamma(n + 1) - std::lgamma(t - n + 1) - std::lgamma(n);
    sum += std::exp(choices + (n - 1) * std::log(std::log(2.0))) * std::pow(1 - mixing, t - n) * std::pow(mixing, n);
  }
  return sum;
}

}  // namespace poslab::experiments::u_shape
