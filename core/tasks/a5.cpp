// SPDX-License-Identifier: Apache-2.0
// The 60 even permutations of five things, applied one after the other. No part of the answer can be had without the
// order of all: the group has no smaller one behind it, as s3 has the sign.
#include <memory>
#include <string_view>

#include "parts/permutations.hpp"

namespace poslab::tasks {

TaskInfo make_a5() {
  return {.title = "state tracking, even permutations of five things",
          .sentence = "At every token, say the permutation that all so far come to, one after the other.",
          .source = "Merrill, Petty and Sabharwal 2024 (ICML; arXiv:2404.08819), the word problem of A5",
          .bidirectional = false,
          .size_means = "permutations",
          .make = [](std::string_view) -> std::unique_ptr<Task> {
            return std::make_unique<StateTracking>("a5", permutations_of(5, true));
          }};
}

}  // namespace poslab::tasks
