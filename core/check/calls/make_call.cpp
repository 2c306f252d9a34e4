// SPDX-License-Identifier: Apache-2.0
#include "calls/make_call.hpp"

#include <algorithm>
#include <cmath>

namespace poslab::check {
namespace {

// Rows that sum to one, nothing on hidden keys.
Tensor attention_of(const Call& call, Index H, const std::string& key) {
  const Index Nq = call.query_positions.shape[0], Nk = call.key_positions.shape[0];
  Tensor attention = normal_tensor({H, Nq, Nk}, key + "/attention");
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Nq; ++i) {
      double sum = 0;
      for (Index j = 0; j < Nk; ++j) {
        double& entry = attention.at(h, i, j);
        entry = is_hidden(call, i, j) ? 0 : std::exp(entry);
        sum += entry;
      }
      for (Index j = 0; j < Nk; ++j) attention.at(h, i, j) /= sum;
    }
  return attention;
}

Call bare_call(const Inputs& inputs, Operation operation, int scalar, int side) {
  Call call;
  call.operation = operation;
  call.scalar = scalar;
  call.side = side;
  call.causal = inputs.causal;
  call.layer = operation == Operation::encode ? 0 : inputs.layer;
  call.length = inputs.length;
  call.train_length = inputs.train_length;
  call.weights = inputs.weights;
  if (operation == Operation::encode || operation == Operation::transform) {
    call.positions = inputs.positions;
  } else {
    call.query_positions = inputs.positions.rows(0, inputs.first_query, inputs.queries);
    call.key_positions = inputs.positions;
    call.first_query = inputs.first_query;
  }
  return call;
}

}  // namespace

Tensor plain_logits(const Instance& instance, const Call& call) {
  const Index H = instance.H(), K = instance.K(), Nq = call.query.shape[1], Nk = call.key.shape[1];
  Tensor logits({H, Nq, Nk});
  if (instance.has(Operation::bias)) {
    Call bias = call;
    bias.operation = Operation::bias;
    bias.gradient = false;
    bias.scalar = POSLAB_F64;
    bias.layer_input = bias.query = bias.key = bias.output_gradient = {};
    bias.layer_input_gradient = bias.query_gradient = bias.key_gradient = {};
    bias.weight_gradients.clear();
    bias.output = Tensor({H, Nq, Nk});
    if (instance.invoke(bias).ok()) logits = bias.output;
  }
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < Nq; ++i)
      for (Index j = 0; j < Nk; ++j) {
        double product = 0;
        for (Index k = 0; k < K; ++k) product += call.query.at(h, i, k) * call.key.at(h, j, k);
        double& logit = logits.at(h, i, j);
        if (!std::isfinite(logit)) logit = 0;  // logits arrive finite
        logit += call.scale * product;
      }
  return logits;
}

Call forward_call(const Instance& instance, const Inputs& inputs, Operation operation, int scalar, int side) {
  const Index N = inputs.positions.shape[0], Nq = inputs.queries, D = instance.D(), H = instance.H(), K = instance.K();
  Call call = bare_call(inputs, operation, scalar, side);
  switch (operation) {
    case Operation::encode: call.output = Tensor({N, D}, std::nan("")); break;
    case Operation::transform: call.output = inputs.contents.of_side(side); break;
    case Operation::bias: call.output = Tensor({H, Nq, N}, std::nan("")); break;
    case Operation::score:
      call.scale = instance.scheme().logit_scale();
      call.layer_input = inputs.contents.layer_input;
      call.query = inputs.contents.query.rows(1, inputs.first_query, Nq);
      call.key = inputs.contents.key;
      call.output = plain_logits(instance, call);
      break;
    case Operation::mix:
      call.attention = attention_of(call, H, inputs.key);
      call.output = normal_tensor({H, Nq, K}, inputs.key + "/mixed");
      break;
  }
  if (scalar == POSLAB_F32) round_to_float(call);
  return call;
}

std::vector<Call> calls_of(const Instance& instance, const Inputs& inputs, Operation operation, Include include) {
  std::vector<Call> calls;
  Inputs few = inputs;
  few.queries = std::min<Index>(inputs.queries, 2);
  for (const int scalar : {POSLAB_F64, POSLAB_F32})
    for (const int side : operation == Operation::transform ? instance.sides() : std::vector<int>{POSLAB_QUERY}) {
      calls.push_back(forward_call(instance, inputs, operation, scalar, side));
      if (include == Include::gradients && instance.has_gradient(operation))
        calls.push_back(gradient_call(instance, few, operation, scalar, side));
    }
  return calls;
}

std::vector<Call> all_calls(const Instance& instance, const Inputs& inputs, Include include) {
  std::vector<Call> calls;
  for (const Operation operation : instance.operations())
    for (Call& call : calls_of(instance, inputs, operation, include)) calls.push_back(std::move(call));
  return calls;
}

}  // namespace poslab::check
