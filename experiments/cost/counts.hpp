// SPDX-License-Identifier: Apache-2.0
// Operations and parameters, by formula. Only the additions, multiplications, divisions and functions of the
// definitions count, one each: comparisons, copies and addresses do not.
// Dimension letters: B sequences, N tokens, D model width, H heads, K head width, F hidden units, V tokens that there
// are, L layers, P pairs of a query and a key that it sees.
#pragma once

#include "poslab/host/scheme.hpp"
#include "poslab/network/configuration.hpp"

namespace poslab::experiments::cost {

using base::Index;

/// A network and what it is given.
struct Size {
  network::Configuration network;
  Index sequences = 1, length = 1;
  double pairs() const;  ///< P, of one sequence
};

/// The scheme's numbers, of all layers.
struct SchemeParameters {
  double learned = 0, frozen = 0;
};
SchemeParameters parameters_of(const host::Scheme& scheme, Index layers);

/// Parameters of the network without positions.
double count_parameters(const network::Configuration& network);

/// At the network's input, one sequence.
double operations_of_encode(const host::Scheme& scheme, const Size& size);

/// One layer and sequence, forward. `scheme`: null for attention without positions.
double operations_of_attention(const host::Scheme* scheme, const Size& size);

/// Forward, backward, and the update of all parameters.
double operations_of_training(const host::Scheme* scheme, const Size& size);

}  // namespace poslab::experiments::cost
