// SPDX-License-Identifier: Apache-2.0
// A golden trace: a network trained elsewhere for some steps, with all it began from and ended with.
#pragma once

#include <string>
#include <vector>

#include "case.hpp"

namespace poslab::golden {

struct Trace {
  std::string name;  ///< only for people
  Json attributes;   ///< the whole configuration
  Datasets init, final, eval;
  Dataset tokens, targets, mask;  ///< [steps, B, T]; without targets, tokens are [steps, B, T + 1], each its own target
  Dataset positions;              ///< [T, A]; empty: 0, 1, ...
  Dataset loss, grad_norm;        ///< [steps]
};

std::vector<Trace> read_traces(const std::string& file);

/// How far our training of the same network went away from it, each relative to the size of what is compared.
struct TraceError {
  double loss = 0, grad_norm = 0, parameters = 0, loss_by_position = 0;
  std::string worst_parameter;
};

/// Trains as the trace did. Throws std::runtime_error for what it cannot express.
TraceError train_along(const Trace& trace);

}  // namespace poslab::golden
