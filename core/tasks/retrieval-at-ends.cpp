// SPDX-License-Identifier: Apache-2.0
#include "parts/mixtures.hpp"

namespace poslab::tasks {

TaskInfo make_retrieval_at_ends() {
  return {
      .title = "retrieval from mixtures, trained at the ends",
      .sentence = "As retrieval, but while training the item asked for is of the class of the first or the last pair.",
      .source = "Wu et al. 2025 (ICML; arXiv:2502.01951), data biased to first and last (figure 3)",
      .size_means = "pairs",
      .min_size = 4,
      .make = [](std::string_view) { return make_retrieval_task("retrieval-at-ends", true); }};
}

}  // namespace poslab::tasks
