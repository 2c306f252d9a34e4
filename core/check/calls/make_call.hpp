// SPDX-License-Identifier: Apache-2.0
// Calls of every operation, made from inputs.
#pragma once

#include <vector>

#include "calls/inputs.hpp"

namespace poslab::check {

/// The forward call: `score` finds scale * q.k + bias in its output, `mix` random attention rows; `encode` and `bias`
/// nan.
Call forward_call(const Instance& instance, const Inputs& inputs, Operation operation, int scalar = POSLAB_F64,
                  int side = POSLAB_QUERY);
/// The gradient call, all gradients asked for and zero, of a loss whose gradient by the output is random; nothing of
/// the loss lies where a causal mask hides.
Call gradient_call(const Instance& instance, const Inputs& inputs, Operation operation, int scalar = POSLAB_F64,
                   int side = POSLAB_QUERY);
/// scale * q.k + bias [H, Nq, Nk], what `score` finds.
Tensor plain_logits(const Instance& instance, const Call& call);

/// Whether a causal mask hides key j from query i of the call's tile.
inline bool is_hidden(const Call& call, Index i, Index j) { return call.causal && j > call.first_query + i; }

enum class Include { forward, gradients };
/// Every call of one operation: itself and, if included, its gradient (of few queries, as they cost much more), both
/// scalars, both sides of transform. Making those of `score` calls `bias`.
std::vector<Call> calls_of(const Instance& instance, const Inputs& inputs, Operation operation,
                           Include include = Include::gradients);
/// Every call of every operation that the instance has.
std::vector<Call> all_calls(const Instance& instance, const Inputs& inputs, Include include = Include::gradients);

}  // namespace poslab::check
