// SPDX-License-Identifier: Apache-2.0
// n pairs of a key and its value, all different, and then 3n slots of two tokens: in n of them a key stands again, and
// its value is asked there. Slots soon after the pairs are likelier, by a power law; all else is filled up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"

namespace poslab::tasks {
namespace {

class MultiQueryRecall final : public Generated {
 public:
  MultiQueryRecall() : Generated("mqar", 1) {}
  Index vocabulary() const override { return 2 * keys + 1; }
  Index tokens(Index size) const override { return 8 * size; }
  std::optional<base::Refusal> why_not(Index size) const override {
    if (size <= keys) return Generated::why_not(size);
    return fmt::format("the task mqar has no instances of size {}: there are {} keys", size, keys);
  }
  // Which value belongs to which key is not in the multiset: one of n.
  Bounds bounds(Index size) const override {
    return certain(1.0 / keys, std::log(static_cast<double>(keys)), 1 / static_cast<double>(size));
  }

 private:
  static constexpr Index keys = 64;  // and as many values
  static constexpr std::int32_t filled = 2 * keys;
  static constexpr double power = 0.01;

  Sequence draw(Dice& dice, Index size) const override {
    const std::vector<Index> drawn = dice.different(size, keys), values = dice.different(size, keys),
                             slots = slots_of_queries(dice, size);
    Sequence sequence = unasked(Tokens(static_cast<std::size_t>(tokens(size)), filled));
    for (std::size_t n = 0; n < drawn.size(); ++n) {
      const auto key = static_cast<std::int32_t>(drawn[n]), value = static_cast<std::int32_t>(keys + values[n]);
      sequence.tokens[2 * n] = key;
      sequence.tokens[2 * n + 1] = value;
      const std::size_t asked = 2 * drawn.size() + 2 * base::at(slots[n]);
      sequence.tokens[asked] = key;
      sequence.targets[asked] = value;
      sequence.mask[asked] = 1;
    }
    return sequence;
  }

  // n different ones of 3n, one after the other, slot g = 1 .. 3n with weight g^(power - 1) among those that are left:
  // the first n to arrive, if each waits for a time drawn exponentially, at a rate of its weight.
  static std::vector<Index> slots_of_queries(Dice& dice, Index size) {
    std::vector<std::pair<double, Index>> arrivals;
    for (Index slot = 0; slot < 3 * size; ++slot)
      arrivals.emplace_back(-std::log(1 - dice.uniform()) * std::pow(static_cast<double>(slot + 1), 1 - power), slot);
    std::sort(arrivals.begin(), arrivals.end());
    std::vector<Index> slots;
    for (std::size_t n = 0; n < static_cast<std::size_t>(size); ++n) slots.push_back(arrivals[n].second);
    return slots;
  }
};

}  // namespace

TaskInfo make_mqar() {
  return {.title = "multi-query associative recall",
          .sentence = "After pairs of a key and its value, say the value of each key that comes again.",
          .source = "Arora et al. 2024 (ICLR; arXiv:2312.04927), Zoology's MQAR, gaps filled with one token",
          .bidirectional = false,
          .size_means = "pairs",
          .make = make_task<MultiQueryRecall>};
}

}  // namespace poslab::tasks
