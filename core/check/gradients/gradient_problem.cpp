// SPDX-License-Identifier: Apache-2.0
#include "gradients/gradients.hpp"

#include <fmt/format.h>

#include <cmath>

#include "calls/make_call.hpp"

namespace poslab::check {

GradientProblem problem_of(const Instance& instance, const Inputs& inputs, const Call& call) {
  GradientProblem problem;
  problem.forward = forward_call(instance, inputs, call.operation, POSLAB_F64, call.side);
  problem.loss = call.operation == Operation::transform ? call.output : call.output_gradient;
  return problem;
}

void note_gradients(GradientProblem& problem, const Instance& instance, const Call& completed) {
  Call& forward = problem.forward;
  for (std::size_t w = 0; w < forward.weights.size(); ++w)
    problem.inputs.push_back({fmt::format("weight \"{}\"", instance.scheme().weights()[w].name), &forward.weights[w],
                              &completed.weight_gradients[w]});
  if (forward.operation == Operation::transform) problem.inputs.push_back({"x", &forward.output, &completed.output});
  if (forward.operation == Operation::score) {
    problem.inputs.push_back({"layer_input", &forward.layer_input, &completed.layer_input_gradient});
    problem.inputs.push_back({"query", &forward.query, &completed.query_gradient});
    problem.inputs.push_back({"key", &forward.key, &completed.key_gradient});
  }
  if (forward.operation == Operation::mix)
    problem.inputs.push_back({"attention", &forward.attention, &completed.attention_gradient});
}

// `score` acts on q and k through the logits that it finds, too.
// Through logits that it only adds to, the host passes gradients on.
double loss_of(const Instance& instance, const GradientProblem& problem, double* magnitude) {
  Call call = problem.forward;
  const bool scores = call.operation == Operation::score;
  if (scores) call.output = plain_logits(instance, call);
  const std::vector<double> before = call.output.numbers;
  const bool adds = scores && !instance.scheme().score_writes_logits();
  const CallResult result = instance.invoke(call);
  double loss = result.ok() ? 0 : std::nan("");
  for (std::size_t i = 0; i < call.output.numbers.size(); ++i) {
    if (problem.loss.numbers[i] == 0) continue;
    loss += problem.loss.numbers[i] * (call.output.numbers[i] - (adds ? before[i] : 0));
    if (magnitude)
      *magnitude +=
          std::abs(problem.loss.numbers[i]) * (std::abs(call.output.numbers[i]) + (scores ? std::abs(before[i]) : 0));
  }
  return loss;
}

// Where an output is infinite, it has no part in the loss.
void drop_infinite(const Instance& instance, const GradientProblem& problem, Tensor& loss) {
  Call call = problem.forward;
  instance.invoke(call);
  for (std::size_t i = 0; i < loss.numbers.size(); ++i)
    if (std::isinf(call.output.numbers[i])) loss.numbers[i] = 0;
}

}  // namespace poslab::check
