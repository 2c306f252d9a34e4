// SPDX-License-Identifier: Apache-2.0
// A gradient call, and the forward call whose differences it must agree with.
#pragma once

#include <string>
#include <vector>

#include "calls/make_call.hpp"

namespace poslab::check {

// An input of the forward call, and the gradient that came back for it.
struct InputGradient {
  std::string name;
  Tensor* tensor;
  const Tensor* gradient;
};

// The forward call that belongs to a gradient call, with what it is a gradient by.
struct GradientProblem {
  Call forward;
  Tensor loss;  // weights of the outputs in the scalar loss
  std::vector<InputGradient> inputs;
};

/// The problem of one gradient call; its loss leaves out what is infinite.
GradientProblem problem_of(const Instance& instance, const Inputs& inputs, const Call& call);
/// Lists the gradients that `completed` holds, which must outlive the problem.
void note_gradients(GradientProblem& problem, const Instance& instance, const Call& completed);
/// The loss of the forward call as it is now; `magnitude`, unless null, gets the sum of its terms' magnitudes.
double loss_of(const Instance& instance, const GradientProblem& problem, double* magnitude = nullptr);
void drop_infinite(const Instance& instance, const GradientProblem& problem, Tensor& loss);

}  // namespace poslab::check
