// SPDX-License-Identifier: Apache-2.0
// Two numbers of n decimal digits, the greatest first, with a plus between them -> their n or n + 1 digits, likewise.
#include <memory>
#include <string_view>

#include "parts/decimal.hpp"

namespace poslab::tasks {

TaskInfo make_addition() {
  return {.title = "addition",
          .sentence = "Say the sum of two decimal numbers, the greatest digit first.",
          .source = "Kazemnejad et al. 2023 (NeurIPS; arXiv:2305.19466), addition",
          .bidirectional = false,
          .size_means = "digits of each number",
          .make = [](std::string_view) -> std::unique_ptr<Task> {
            return std::make_unique<DecimalAddition>("addition", Digits::big_endian);
          }};
}

}  // namespace poslab::tasks
