// SPDX-License-Identifier: Apache-2.0
// A gradient call, and the forward call whose differences it must agree with.
#pragma once

#include <string>
#include <vector>

#include "scene.hpp"

namespace poslab::check {

// An input of the forward call, and the gradient that came back for it.
struct Wanted {
  std::string name;
  Block* input;
  const Block* gradient;
};

// The forward call that belongs to a gradient call, with what it is a gradient by.
struct Problem {
  Call forward;
  Block loss;  // weights of the outputs in the scalar loss
  std::vector<Wanted> wanted;
};

/// The problem of one gradient call; its loss leaves out what is infinite.
Problem problem_of(const Subject& subject, const Scene& scene, const Call& asked);
/// Notes what came back: `answered` must stay.
void list_wanted(Problem& problem, const Subject& subject, const Call& answered);
/// The loss as the forward call stands; `magnitude` gets the sum of its terms' magnitudes, if wanted.
double loss_of(const Subject& subject, const Problem& problem, double* magnitude = nullptr);
void drop_infinite(const Subject& subject, const Problem& problem, Block& loss);

}  // namespace poslab::check
