// SPDX-License-Identifier: Apache-2.0
// Steps are of half a nanosecond, measured over all experiments on one type of processor with vectors of 256 bits; what
// a product of matrices takes of one fits training on another with 512 bits, too (tests/bench/speed.md). What a scheme
// takes is between a tenth and ten times what is said here, as its formula is.
#include "poslab/experiment/needs.hpp"

#include <tbb/task_arena.h>

#include <algorithm>

#include "poslab/attention/batch.hpp"

namespace poslab::experiments {

using host::Operation;

double at_once(double things) { return std::min(things, static_cast<double>(tbb::this_task_arena::max_concurrency())); }

namespace {

bool has(const host::LayerSchemes& schemes, Operation operation) {
  return schemes.any([&](const host::Scheme& scheme) { return scheme.has(operation); });
}

}  // namespace

Needs::Needs(const host::LayerSchemes& schemes, Dtype dtype)
    : bytes(dtype == Dtype::float32 ? sizeof(float) : sizeof(double)),
      D(static_cast<double>(schemes.first().model().model_width)),
      H(static_cast<double>(schemes.first().model().heads)),
      K(D / H),
      encodes(has(schemes, Operation::encode)),
      transforms(has(schemes, Operation::transform)),
      biases(has(schemes, Operation::bias)),
      scores(has(schemes, Operation::score)),
      mixes(has(schemes, Operation::mix)),
      schemes_(schemes),
      multiplications_a_step_(dtype == Dtype::float32 ? 10 : 5) {
  for (const host::Scheme* scheme : schemes.different()) {
    double of_scheme = 0;
    for (const host::WeightInfo& weight : scheme->weights()) {
      double numbers = 1;
      for (const base::Index extent : weight.shape) numbers *= static_cast<double>(extent);
      of_scheme += numbers;
    }
    weights = std::max(weights, of_scheme);
  }
}

// Queries of the tile and its keys are copied for `score`, and it has half as many numbers again for itself.
double Needs::logits(double Nq, double Nk) const {
  return Nq * D + H * Nq * Nk * (1 + (biases ? 1 : 0) + (scores ? 0.5 : 0)) + (scores ? Nk * D : 0);
}

double Needs::attention(base::Index length) const {
  const host::Scheme& scheme = schemes_.first();  // who asks this has no others
  const attention::BatchSize one{1, scheme.model().heads, length, scheme.model().head_width()};
  return 3 * static_cast<double>(length) * D +
         attention::BatchAttention<double>::numbers(&scheme, one, attention::Gradient::none);
}

double Needs::position_signatures(double N) const {
  return N * code_width() + (transforms ? std::min(N, 1024.0) * D : 0);  // of so many at once, heads apart
}

// For `score`: contents 1 and unit vectors of twice as many keys, products and what becomes of them; then three blocks,
// and the three arrays of which they are made.
double Needs::offset_signatures(double R) const { return R * (2 * H + (scores ? 9 * D : 0) + (mixes ? D : 0)); }

double Needs::offset_blocks(double R) const { return R * (H + (scores ? 3 * D : 0) + (mixes ? D : 0)); }

double Needs::stack(const network::StackOptions& options, const network::StackCapacity& capacity) const {
  return bytes == sizeof(float) ? network::Stack<float>::bytes(options, schemes_, capacity)
                                : network::Stack<double>::bytes(options, schemes_, capacity);
}

double Needs::stack_weights(double F) const {
  return bytes * (4 * D * D + 2 * D * F) + sizeof(double) * std::max(D * D, D * F);
}

double Needs::network_of(const network::Configuration& configuration, const network::Capacity& capacity) const {
  return bytes == sizeof(float) ? network::Network<float>::bytes(configuration, schemes_, capacity)
                                : network::Network<double>::bytes(configuration, schemes_, capacity);
}

double Needs::stack_layer(const network::StackOptions& options, const network::StackCapacity& capacity) const {
  const auto [B, T, F] = reckoned(capacity.sequences, capacity.length, options.feed_forward);
  const double pairs = T * (options.causal ? T / 2 : T);
  return B * (products(T * (4 * D * D + 2 * D * F)) + T * (30 * D + 4 * F) + transform(T) + attend(pairs) +
              softmax(pairs) + products(pairs * D));
}

}  // namespace poslab::experiments
