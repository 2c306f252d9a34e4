// SPDX-License-Identifier: Apache-2.0
// Two numbers of n decimal digits, the least first, with a plus between them -> their n or n + 1 digits, likewise.
#include <memory>
#include <string_view>

#include "parts/decimal.hpp"

namespace poslab::tasks {

TaskInfo make_addition_reversed() {
  return {.title = "addition, the least digit first",
          .sentence = "Say the sum of two decimal numbers, all of them with the least digit first.",
          .source = "Lee et al. 2024 (ICLR; arXiv:2307.03381), reverse, with both numbers reversed as well",
          .bidirectional = false,
          .size_means = "digits of each number",
          .make = [](std::string_view) -> std::unique_ptr<Task> {
            return std::make_unique<DecimalAddition>("addition-reversed", Digits::little_endian);
          }};
}

}  // namespace poslab::tasks
