// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "calls/make_call.hpp"

namespace poslab::check {

Call gradient_call(const Instance& instance, const Inputs& inputs, Operation operation, int scalar, int side) {
  Call call = forward_call(instance, inputs, operation, scalar, side);
  call.gradient = true;
  Tensor loss = call.output;
  const base::Stream stream(inputs.key + "/loss");
  for (std::size_t i = 0; i < loss.numbers.size(); ++i) loss.numbers[i] = stream.normal(i);
  if (operation == Operation::bias || operation == Operation::score)
    for (Index h = 0; h < loss.shape[0]; ++h)
      for (Index i = 0; i < loss.shape[1]; ++i)
        for (Index j = 0; j < loss.shape[2]; ++j)
          if (is_hidden(call, i, j)) loss.at(h, i, j) = 0;
  const auto zeros = [](Tensor like) {
    std::fill(like.numbers.begin(), like.numbers.end(), 0.0);
    return like;
  };
  for (const Tensor& weight : call.weights) call.weight_gradients.push_back(zeros(weight));
  if (operation == Operation::transform) {
    call.before() = call.output;
    call.output = loss;
  } else {
    call.output = {};
    call.output_gradient = loss;
  }
  if (operation == Operation::score) {
    call.layer_input_gradient = zeros(call.layer_input);
    call.query_gradient = zeros(call.query);
    call.key_gradient = zeros(call.key);
  }
  if (operation == Operation::mix) call.attention_gradient = zeros(call.attention);
  if (scalar == POSLAB_F32) round_to_float(call);
  return call;
}

}  // namespace poslab::check
