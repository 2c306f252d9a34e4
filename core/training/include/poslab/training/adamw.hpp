// SPDX-License-Identifier: Apache-2.0
// AdamW (Kingma and Ba, arXiv:1412.6980; Loshchilov and Hutter, arXiv:1711.05101), after clipping by the global norm.
#pragma once

#include <cstdint>

#include "poslab/network/parameters.hpp"

namespace poslab::training {

using base::Array;
using base::Index;
using base::View;

struct AdamWOptions {
  double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
  double weight_decay = 0.01;  ///< of the matrices of the layers: not of embeddings, norms, biases or the scheme
  double clip = 1;             ///< largest norm of all gradients together; infinity: none
};

/// The optimiser's state: two moments of each parameter, and how many steps it has made.
template <class S>
class AdamW {
 public:
  AdamW(const network::Layout& layout, const AdamWOptions& options);
  /// One update at this learning rate. Returns the norm of the gradient before clipping; frozen arrays have none.
  /// With g the clipped gradient: m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2,
  /// p -= rate decay p (where it decays), p -= rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon)
  double step(double rate, const network::Parameters<S>& gradient, network::Parameters<S>& parameters);

  std::uint64_t steps() const { return steps_; }
  network::Parameters<S>& first() { return first_; }
  network::Parameters<S>& second() { return second_; }
  const network::Parameters<S>& first() const { return first_; }
  const network::Parameters<S>& second() const { return second_; }
  void resume(std::uint64_t steps) { steps_ = steps; }

 private:
  AdamWOptions options_;
  std::uint64_t steps_ = 0;
  network::Parameters<S> first_, second_;
  std::vector<double> squares_;  // of each piece
};

}  // namespace poslab::training
