// SPDX-License-Identifier: Apache-2.0
// The stack that is asked: its contents, its layers, which are random or those of a trained network, and what they give
// to position 0. Dimension letters: N positions, D model width, H heads.
#pragma once

#include <memory>
#include <vector>

#include "first-position-bias.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/network/stack.hpp"

namespace poslab::experiments::first_position_bias {

using base::Array;
using base::View;

/// Projections [D, D] of one layer, entries N(0, 1/D).
template <class S>
struct Projections {
  Array<S> query, key, value;
};

/// Drawn without the scheme, so that all schemes share them, but for those of a network.
template <class S>
struct Contents {
  std::vector<Array<double>> samples;                 ///< [N, D] each
  Array<double> direction;                            ///< [D]: u, of the output
  std::vector<Projections<S>> projections;            ///< of each layer
  std::shared_ptr<const GivenStack<S>> network = {};  ///< in place of the projections; samples are then its tokens
};
template <class S>
Contents<S> draw_contents(const FirstPositionBias& at, const ExperimentInput& input);

/// What it comes to, one value a depth that was asked for: shares are means over samples, all else is of the first.
struct Curves {
  std::vector<double> sink_share, context_share, residual_context_share;
  std::vector<double> gradient_share;  ///< empty where a scheme's plugin offers no gradients
  Array<double> last_logits;           ///< [H, N]: of the last query in the first layer
};

/// Without `with_positions` the schemes are left out.
template <class S>
Curves run_stack(const FirstPositionBias& at, const ExperimentInput& input, const Contents<S>& contents,
                 bool with_positions);

/// Whether a backward pass goes through all of these layers.
bool have_gradients(const host::LayerSchemes& schemes);

/// Bytes that `run_stack` takes, its contents not included. `feed_forward`: width of that part of a network, or 0.
template <class S>
double bytes_of_stack(const FirstPositionBias& at, const host::LayerSchemes& schemes, Index feed_forward);

}  // namespace poslab::experiments::first_position_bias
