// SPDX-License-Identifier: Apache-2.0
#include "counts.hpp"

#include "poslab/network/parameters.hpp"

namespace poslab::experiments::cost {
namespace {

using host::Operation;

constexpr double update_of_a_parameter = 14;  // AdamW: 3 for m, 4 for v, 7 from them to the parameter

// As doubles: products of them pass 2^63.
struct Dimensions {
  double B, N, D, H, F, V, L, P;
  explicit Dimensions(const Size& size)
      : B(static_cast<double>(size.sequences)),
        N(static_cast<double>(size.length)),
        D(static_cast<double>(size.network.model_width)),
        H(static_cast<double>(size.network.heads)),
        F(static_cast<double>(size.network.feed_forward)),
        V(static_cast<double>(size.network.vocabulary)),
        L(static_cast<double>(size.network.layers)),
        P(size.pairs()) {}
};

double if_has(const host::Scheme& scheme, Operation operation, double operations) {
  return scheme.has(operation) ? operations : 0;
}

// Logits and softmax of all heads: products, then largest subtracted, exp, sum and quotient.
double attention_from_keys(const Dimensions& l) { return 2 * l.P * l.D + 4 * l.P * l.H; }

// All layers and sequences, forward and backward, the least that the operations of the scheme take.
double training_of_scheme(const host::Scheme& scheme, const Dimensions& l) {
  const bool learns = scheme.has_trainable_weights();
  const double code = l.N * l.D, pairs = l.P * l.H;
  // Made once for all sequences, added to each; with weights, its gradient is summed over them.
  const double encode = if_has(scheme, Operation::encode, code + l.B * code + (learns ? l.B * code : 0));
  // Made and added twice, since the backward pass makes the logits again.
  const double bias = if_has(scheme, Operation::bias, 2 * (pairs + l.B * pairs) + (learns ? l.B * pairs : 0));
  const double score = if_has(scheme, Operation::score, 3 * l.B * pairs);
  const double transform = if_has(scheme, Operation::transform, 2 * l.B * 2 * code);
  const double mix = if_has(scheme, Operation::mix, 2 * l.B * code);
  return encode + l.L * (bias + score + transform + mix);
}

}  // namespace

double Size::pairs() const {
  const auto N = static_cast<double>(length);
  return network.causal ? N * (N + 1) / 2 : N * N;
}

SchemeParameters parameters_of(const host::Scheme& scheme, Index layers) {
  SchemeParameters found;
  for (const host::WeightInfo& weight : scheme.weights()) {
    double numbers = weight.per_layer ? static_cast<double>(layers) : 1;
    for (const Index extent : weight.shape) numbers *= static_cast<double>(extent);
    (weight.frozen ? found.frozen : found.learned) += numbers;
  }
  return found;
}

double count_parameters(const network::Configuration& network) {
  return static_cast<double>(network::Layout(network, nullptr).learned());
}

double operations_of_encode(const host::Scheme& scheme, const Size& size) {
  const Dimensions l(size);
  return if_has(scheme, Operation::encode, 2 * l.N * l.D);
}

double operations_of_attention(const host::Scheme* scheme, const Size& size) {
  const Dimensions l(size);
  double operations = 8 * l.N * l.D * l.D + attention_from_keys(l) + 2 * l.P * l.D;
  if (!scheme) return operations;
  operations += if_has(*scheme, Operation::transform, 2 * l.N * l.D);
  operations += if_has(*scheme, Operation::bias, 2 * l.P * l.H);
  operations += if_has(*scheme, Operation::score, l.P * l.H);
  return operations + if_has(*scheme, Operation::mix, l.N * l.D);
}

double operations_of_training(const host::Scheme* scheme, const Size& size) {
  const Dimensions l(size);
  const double matrices = l.L * (4 * l.D * l.D + 2 * l.D * l.F) + l.V * l.D;
  const double forward = attention_from_keys(l) + 2 * l.P * l.D;
  // Logits and softmax again; the gradients by values, attention, queries and keys; that of the softmax.
  const double backward = attention_from_keys(l) + 8 * l.P * l.D + 4 * l.P * l.H;
  const double without = 6 * l.B * l.N * matrices + l.B * l.L * (forward + backward) +
                         update_of_a_parameter * count_parameters(size.network);
  if (!scheme) return without;
  return without + training_of_scheme(*scheme, l) +
         update_of_a_parameter * parameters_of(*scheme, size.network.layers).learned;
}

}  // namespace poslab::experiments::cost
