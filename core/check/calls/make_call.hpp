// SPDX-License-Identifier: Apache-2.0
// Calls of every operation, made from inputs, what most checks require of them, and comparing their outputs.
#pragma once

#include <string>
#include <vector>

#include "calls/call.hpp"
#include "calls/inputs.hpp"
#include "failure.hpp"
#include "instance.hpp"

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
/// scalars, all sides that transform changes. Making those of `score` calls `bias`.
std::vector<Call> calls_of(const Instance& instance, const Inputs& inputs, Operation operation,
                           Include include = Include::gradients);
/// Every call of every operation that the instance has.
std::vector<Call> all_calls(const Instance& instance, const Inputs& inputs, Include include = Include::gradients);

/// Makes the call; throws Failed unless it is answered with OK.
CallResult require_success(const Instance& instance, Call& call, Guard guard = Guard::none,
                           const FaultReport& on_fault = {});
/// Throws Failed if an output holds nan or an infinity that is not allowed. Entries that a mask will hide count, too:
/// it is added to them, it does not replace them.
void require_finite(const Instance& instance, Call& call);
/// One axis of several may end earlier than the plugin can say; then it refuses positions there itself, naming a
/// number.
bool is_named_refusal(const Instance& instance, const CallResult& result);

/// How many numbers of the scalar type lie between two; 0 for equal bits, the same nan, or both zeros.
double ulps_apart(double a, double b, int scalar);
double unit_in_last_place(double x, int scalar);

/// Empty if the outputs of two calls are the same within `ulps`; else "entry 3 of `output`: 1.5 and 1.25".
std::string difference(Call& a, Call& b, double ulps = 0);
/// Throws Failed with "NAME_OF_CALL WHAT: DIFFERENCE" if they are not the same.
void require_same(Call& a, Call& b, const std::string& what, double ulps = 0);

/// Calls worth comparing: every one of an instance, for several inputs that differ in positions, contents and number of
/// positions.
std::vector<Call> varied_calls(const Instance& instance);

}  // namespace poslab::check
