// SPDX-License-Identifier: Apache-2.0
// n instructions, each with a bit: write it, ignore it, or read, whose bit is that of the last write. The first one
// writes, the last one reads, the others are drawn. What is asked is the bit of each read.
#include <cmath>

#include "parts/counts.hpp"
#include "parts/generated.hpp"
#include "parts/sequences.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {
namespace {

class FlipFlop final : public Generated {
 public:
  FlipFlop() : Generated("flip-flop", 2) {}
  Index vocabulary() const override { return 5; }
  Index tokens(Index size) const override { return 2 * size - 1; }
  Bounds bounds(Index /*size*/) const override { return certain(0.5, std::log(2.0)); }
  std::vector<std::string> probes() const override { return {"sparse", "dense"}; }
  Sequence probe(std::size_t which, const base::Stream& draws, std::uint64_t i, Index size) const override {
    if (which > 1) throw no_such_instance("probes of " + id(), which, 2);
    require(size);
    Dice dice(stream_within(draws, probes()[which]), Part::held_out, i, size);
    return instructions(dice, size, which == 0 ? 0.98 : 0.1);
  }

 private:
  static constexpr std::int32_t write = 2, read = 3, ignore = 4;

  Sequence draw(Dice& dice, Index size) const override { return instructions(dice, size, 0.8); }

  static Sequence instructions(Dice& dice, Index size, double ignored) {
    Tokens symbols;
    std::int32_t written = 0;
    for (Index n = 0; n < size; ++n) {
      const std::int32_t drawn = dice.happens(ignored) ? ignore : dice.happens(0.5) ? write : read;
      const std::int32_t instruction = n == 0 ? write : n == size - 1 ? read : drawn;
      const std::int32_t bit = instruction == read ? written : dice.token(2);
      if (instruction == write) written = bit;
      symbols.push_back(instruction);
      symbols.push_back(bit);
    }
    Sequence sequence = next_symbols(symbols);
    for (std::size_t t = 0; t < sequence.tokens.size(); ++t) {
      if (sequence.tokens[t] == read) continue;
      sequence.mask[t] = 0;
      sequence.targets[t] = 0;
    }
    return sequence;
  }
};

}  // namespace

TaskInfo make_flip_flop() {
  return {.title = "flip-flop",
          .sentence = "At every instruction to read, say the bit that was last written.",
          .source = "Liu et al. 2023 (NeurIPS; arXiv:2306.00946), FFL(0.8)",
          .bidirectional = false,
          .size_means = "instructions",
          .min_size = 2,
          .make = make_task<FlipFlop>};
}

}  // namespace poslab::tasks
