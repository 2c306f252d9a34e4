// SPDX-License-Identifier: Apache-2.0
// The parts of add-or-concatenate: what is drawn, the identity, what linear probes recover, what logits are made of.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width, H heads, K head width.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments::add_or_concatenate {

using base::Array;
using base::Index;
using base::View;

/// What is drawn, the same for every scheme, and the scheme's codes.
template <class Number>
struct Drawn {
  Index heads;
  std::vector<Index> tokens;  ///< [S N], below V
  Array<Number> embedding;    ///< [V, D]
  Array<Number> codes;        ///< [N, D]
  Array<Number> projection;   ///< [2 D, D], of [x; p]
  Array<Number> query, key;   ///< [2 D, D]: the blocks of x above those of p

  Index length() const { return codes.extent(0); }
  Index width() const { return codes.extent(1); }
  Index sequences() const { return static_cast<Index>(tokens.size()) / length(); }
};

/// max |(x + p) W - [x; p] [W; W]| / (|[x; p]| |[W; W]'s column|) over all tokens and columns, W the block of queries.
template <class Number>
double identity_error(const Drawn<Number>&);

/// How a token and its position reach the probe.
enum class Way { sum, concatenated, projected };

struct Recovery {
  double position_error = 0;  ///< mean |round(predicted) - position|
  double token_error = 0;     ///< share of tokens that are taken for others
};

/// Errors on the second half of the sequences, by least squares fitted to the first.
template <class Number>
Recovery recovery(const Drawn<Number>&, Way);
/// The same of the mean position and the commonest token of the first half.
Recovery chance(const std::vector<Index>& tokens, Index N, Index V);

/// Variances among the keys of a query of the four terms of a logit, over their sum; the query comes first.
struct Shares {
  double content = 0, content_position = 0, position_content = 0, position = 0;
};

/// One matrix for x and p (the sum), or one each (the concatenation).
enum class Blocks { tied, own };
template <class Number>
Shares shares(const Drawn<Number>&, Blocks);

}  // namespace poslab::experiments::add_or_concatenate
