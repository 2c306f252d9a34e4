// SPDX-License-Identifier: Apache-2.0
#include "parts/mixtures.hpp"

namespace poslab::tasks {

TaskInfo make_retrieval() {
  return {.title = "retrieval from mixtures",
          .sentence = "After pairs of an item and its label, say the label of one more item.",
          .source = "Wu et al. 2025 (ICML; arXiv:2502.01951), unbiased data; items after Reddy 2024 (ICLR)",
          .size_means = "pairs",
          .min_size = 4,
          .make = [](std::string_view) { return make_retrieval_task("retrieval", false); }};
}

}  // namespace poslab::tasks
