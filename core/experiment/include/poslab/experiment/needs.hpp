// SPDX-License-Identifier: Apache-2.0
// What the estimates of experiments are sums of: memory and work of what they share, in closed form. Tests hold every
// estimate against what its cells take (tests/estimates).
// Dimension letters: N tokens, Nq queries of a tile, Nk keys that they meet, R offsets, D model width, H heads, K head
// width.
#pragma once

#include <array>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/network/network.hpp"
#include "poslab/network/stack.hpp"

namespace poslab::experiments {

/// Sizes as numbers to reckon with: `const auto [N, C] = reckoned(length, contents);`.
template <class... Sizes>
constexpr std::array<double, sizeof...(Sizes)> reckoned(Sizes... sizes) {
  return {static_cast<double>(sizes)...};
}

/// So many of some things are in work at once: each thread takes one.
double at_once(double things);

/// What a scheme takes in a cell that works in numbers of one type. Memory is in such numbers where it is not said to
/// be in bytes; work is in steps, what `Estimate::operations` counts.
struct Needs {
  /// Where layers have different schemes: the most that one of them takes.
  explicit Needs(const host::LayerSchemes& schemes, Dtype dtype = Dtype::float64);

  double bytes;        ///< of a number
  double D, H, K;      ///< of the model
  double weights = 0;  ///< numbers of them that the scheme has in one layer
  bool encodes, transforms, biases, scores, mixes;

  // ------------------------------------------------------------------------------------------------------------ memory
  /// attention::coded while it works; 3 N D of it stay.
  double coded(double N) const { return 5 * N * D; }
  /// attention::logits [H, Nq, Nk], with what it and the scheme take beside them.
  double logits(double Nq, double Nk) const;
  /// attention::attend for one sequence, beside what it is given and what it fills.
  double attention(base::Index length) const;
  /// attention::position_signatures; of one without positions they are one column.
  double position_signatures(double N) const;
  double code_width() const { return encodes || transforms ? D : 1; }
  /// attention::offset_signatures of R offsets, while it works on one context.
  double offset_signatures(double R) const;
  /// The width of its rows, as most schemes have them.
  double offset_width() const { return (scores ? D : H) + (mixes ? D : 0); }
  /// What it keeps of each context until it has seen all, and the rows that it gives, at most.
  double offset_blocks(double R) const;
  /// In bytes: a stack of layers, the weights of one while they are drawn, a network.
  double stack(const network::StackOptions& options, const network::StackCapacity& capacity) const;
  double stack_weights(double feed_forward) const;
  double network_of(const network::Configuration& configuration, const network::Capacity& capacity) const;

  // -------------------------------------------------------------------------------------------------------------- work
  /// A product of matrices, by its multiplications.
  double products(double multiplications) const { return multiplications / multiplications_a_step_; }
  double draw(double numbers) const { return 40 * numbers; }
  double encode(double N) const { return encodes ? 5 * N * D : 0; }
  double transform(double N) const { return transforms ? 8 * N * D : 0; }  ///< of queries and keys
  /// attention::coded, or the like: copies, `encode`, `transform`.
  double code(double N) const { return 10 * N * D + encode(N) + transform(N); }
  /// attention::offset_signatures, which probe a `score` with unit vectors.
  double probe_offsets(double R) const { return R * (20 * H + (scores ? 150 * D : 0) + (mixes ? 40 * D : 0)); }
  /// Products, `bias` and `score` of so many pairs of a query and a key, in every head.
  double attend(double pairs) const {
    return products(pairs * D) + H * pairs * (2 + (biases ? 4 : 0) + (scores ? 20 : 0));
  }
  double softmax(double pairs) const { return 6 * H * pairs; }
  double stack_layer(const network::StackOptions& options, const network::StackCapacity& capacity) const;

 private:
  host::LayerSchemes schemes_;
  double multiplications_a_step_;
};

}  // namespace poslab::experiments
