// SPDX-License-Identifier: Apache-2.0
#include "gradient_problem.hpp"

#include <fmt/format.h>

#include <cmath>

namespace poslab::check {

Problem problem_of(const Subject& subject, const Scene& scene, const Call& asked) {
  Problem problem;
  problem.forward = forward_call(subject, scene, asked.operation, POSLAB_F64, asked.side);
  problem.loss = asked.operation == Operation::transform ? asked.output : asked.output_gradient;
  return problem;
}

void list_wanted(Problem& problem, const Subject& subject, const Call& answered) {
  Call& forward = problem.forward;
  for (std::size_t w = 0; w < forward.weights.size(); ++w)
    problem.wanted.push_back({fmt::format("weight \"{}\"", subject.scheme().weights()[w].name), &forward.weights[w],
                              &answered.weight_gradients[w]});
  if (forward.operation == Operation::transform) problem.wanted.push_back({"x", &forward.output, &answered.output});
  if (forward.operation == Operation::score) {
    problem.wanted.push_back({"layer_input", &forward.layer_input, &answered.layer_input_gradient});
    problem.wanted.push_back({"query", &forward.query, &answered.query_gradient});
    problem.wanted.push_back({"key", &forward.key, &answered.key_gradient});
  }
  if (forward.operation == Operation::mix)
    problem.wanted.push_back({"attention", &forward.attention, &answered.attention_gradient});
}

// `score` acts on q and k through the logits that it finds, too. What it only adds to them is the host's to pass on.
double loss_of(const Subject& subject, const Problem& problem, double* magnitude) {
  Call call = problem.forward;
  const bool scores = call.operation == Operation::score;
  if (scores) call.output = plain_logits(subject, call);
  const std::vector<double> before = call.output.numbers;
  const bool adds = scores && !subject.scheme().score_writes_logits();
  const Answer answer = subject.perform(call);
  double loss = answer.ok() ? 0 : std::nan("");
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
void drop_infinite(const Subject& subject, const Problem& problem, Block& loss) {
  Call call = problem.forward;
  subject.perform(call);
  for (std::size_t i = 0; i < loss.numbers.size(); ++i)
    if (std::isinf(call.output.numbers[i])) loss.numbers[i] = 0;
}

}  // namespace poslab::check
