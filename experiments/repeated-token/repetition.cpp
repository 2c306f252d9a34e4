// SPDX-License-Identifier: Apache-2.0
#include "repetition.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/attention/attention.hpp"
#include "poslab/attention/softmax.hpp"
#include "poslab/network/random_layers.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::repeated_token {
namespace {

// Compares the attention of each tile with an even one, and with that of queries and keys that are 0.
class Comparison {
 public:
  Comparison(const attention::Layer<double>& layer, Index heads, Index head_width)
      : layer_(layer),
        zeros_{heads, layer.positions.shape[0], head_width},
        no_input_{layer.positions.shape[0], heads * head_width},
        empty_(attention::transform<double>(*layer.scheme, layer.context, layer.positions, {zeros_, zeros_, no_input_},
                                            layer.weights, layer.index)),
        tiles_(static_cast<std::size_t>(layer.positions.shape[0] / attention::queries_per_tile + 1)) {}

  // From several threads, each tile once.
  void look(Index first, View<const double> seen) {
    const Index H = seen.shape[0], Nq = seen.shape[1], Nk = seen.shape[2], N = layer_.positions.shape[0];
    Array<double> empty{H, Nq, Nk};
    attention::logits<double>(layer_, attention::rows_of_heads<double>(empty_.query, first, Nq), empty_.key, no_input_,
                              first, empty);
    attention::masked_softmax<double>(empty, first, true);
    Repetition& tile = tiles_[static_cast<std::size_t>(first / attention::queries_per_tile)];
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < Nq; ++i)
        for (Index j = 0; j <= first + i; ++j) {
          const double even = 1 / static_cast<double>(first + i + 1);
          tile.even_deviation = std::max(tile.even_deviation, std::abs(seen(h, i, j) - even));
          tile.bias_deviation = std::max(tile.bias_deviation, std::abs(seen(h, i, j) - empty(h, i, j)));
        }
    if (first + Nq < N) return;
    tile.last_attention = Array<double>{H, N};
    for (Index h = 0; h < H; ++h) std::copy_n(&seen(h, Nq - 1, 0), std::min(N, Nk), &tile.last_attention(h, 0));
  }

  Repetition all() {
    Repetition sum;
    for (Repetition& tile : tiles_) {
      sum.even_deviation = std::max(sum.even_deviation, tile.even_deviation);
      sum.bias_deviation = std::max(sum.bias_deviation, tile.bias_deviation);
      if (tile.last_attention.size() > 0) sum.last_attention = std::move(tile.last_attention);
    }
    return sum;
  }

 private:
  const attention::Layer<double>& layer_;
  Array<double> zeros_, no_input_;
  attention::Transformed<double> empty_;
  std::vector<Repetition> tiles_;
};

}  // namespace

std::vector<Repetition> repeat_token(const RepeatedToken& at, const ExperimentInput& input,
                                     const host::Weights<double>& weights) {
  const host::Model& model = input.scheme.model();
  const Index N = at.length, D = model.model_width, F = at.feed_forward * D;
  const Array<double> token = input.draws.normal("token", {D}), positions = input.positions(N);
  const network::StackOptions options = network::random_stack(model, N, F, true);
  network::Stack<double> stack(options, {&input.scheme}, {1, N});
  const View<double> content = stack.begin(1, N, positions);
  for (Index i = 0; i < content.size(); ++i) content.data[i] = token(i % D);
  stack.encode(&input.scheme, weights.layer(0));
  std::vector<Repetition> of_layers;
  for (Index l = 0; l < at.scheme_layers(); ++l) {
    const attention::Layer<double> here{&input.scheme, {N, N, true}, positions, weights.layer(l), l};
    Comparison comparison(here, model.heads, model.head_width());
    stack.step(network::draw_random_layer<double>(input.draws, l, options).with(input.scheme, weights.layer(l)),
               [&](Index, Index first, View<const double> seen) { comparison.look(first, seen); });
    of_layers.push_back(comparison.all());
    of_layers.back().state_deviation = spread_of_rows(stack.stream()[0]);
  }
  return of_layers;
}

double spread_of_rows(View<const double> rows) {
  const Index N = rows.shape[0], D = rows.shape[1];
  double apart = 0, squares = 0;
  for (Index i = 0; i < N; ++i) {
    apart = std::max(apart, numerics::squared_distance(&rows(i, 0), &rows(0, 0), D));
    squares += numerics::sum_of_squares(&rows(i, 0), D) / static_cast<double>(N);
  }
  return std::sqrt(numerics::ratio_or_zero(apart, squares));
}

}  // namespace poslab::experiments::repeated_token
