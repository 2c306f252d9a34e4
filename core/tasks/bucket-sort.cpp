// SPDX-License-Identifier: Apache-2.0
// n of five tokens and n blanks; at the blanks the same tokens in order.
#include <algorithm>
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class BucketSort final : public Generated {
 public:
  BucketSort() : Generated("bucket-sort", 1) {}
  Index vocabulary() const override { return 6; }
  Index tokens(Index size) const override { return 2 * size; }
  Bounds bounds(Index size) const override { return certain(0.2, std::log(5.0), expected_largest_share(size, 5)); }

 private:
  Sequence draw(Dice& dice, Index size) const override {
    const Tokens drawn = dice.tokens(size, 5);
    Tokens sorted = drawn;
    std::sort(sorted.begin(), sorted.end());
    return at_blanks(drawn, sorted, 5);
  }
};

}  // namespace

TaskInfo make_bucket_sort() {
  return {.title = "bucket sort, at blanks",
          .sentence = "At blanks behind a string of five letters, say them in order.",
          .source = "Deletang et al. 2023 (ICLR; arXiv:2207.02098), bucket sort",
          .size_means = "letters to sort",
          .make = make_task<BucketSort>};
}

}  // namespace poslab::tasks
