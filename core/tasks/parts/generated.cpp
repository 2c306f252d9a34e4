// SPDX-License-Identifier: Apache-2.0
#include "parts/generated.hpp"

#include <fmt/format.h>

#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

std::optional<base::Refusal> Generated::why_not(Index size) const {
  if (size >= least_) return std::nullopt;
  return fmt::format("the task {} has no instances of size {}: the least is {}", id_, size, least_);
}

Sequence Generated::sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const {
  require(size);
  Dice dice(draws, part, i, size);
  return draw(dice, size);
}

}  // namespace poslab::tasks
