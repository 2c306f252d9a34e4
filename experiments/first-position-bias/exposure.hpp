// SPDX-License-Identifier: Apache-2.0
// Training exposure: how many training sequences reach a position. A row of a learned table gets a gradient from a
// sequence exactly if the sequence is longer than the row's index.
// Dimension letters: N longest sequence.
#pragma once

#include <vector>

#include "poslab/base/random.hpp"

namespace poslab::experiments::first_position_bias {

using base::Index;

/// A distribution of sequence lengths 1 .. N.
class Lengths {
 public:
  enum class Distribution {
    uniform,    ///< every length alike
    log_normal  ///< X = (N / 4) exp(z), z ~ N(0, 1), rounded up and cut at N: most are short, some are cut
  };
  Lengths(Distribution distribution, Index longest);
  /// The probability that a sequence is longer than `position`, 0 .. N - 1.
  double chance_beyond(Index position) const;
  /// Length number i of a stream.
  Index draw(const base::Stream& stream, std::uint64_t i) const;

 private:
  Distribution distribution_;
  Index longest_;
};

/// Expected updates of rows 0 .. N-1 after `sequences` sequences.
std::vector<double> expected_updates(const Lengths& lengths, Index longest, Index sequences);
/// Updates counted over lengths that were drawn.
std::vector<double> drawn_updates(const Lengths& lengths, Index longest, Index sequences, const base::Stream& stream);

}  // namespace poslab::experiments::first_position_bias
