// SPDX-License-Identifier: Apache-2.0
// Random contents that all schemes are compared on, drawn once for all of them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {

/// What is kept for other schemes is in no cell's forecast of memory: so many numbers at most.
inline constexpr base::Index max_shared_numbers = 1 << 18;

/// `draw()`, which must not look at the scheme: of all schemes' cells at one point, if it gives few numbers.
template <class Value>
std::shared_ptr<const Value> shared_draw(const ExperimentInput& input, const std::string& name, base::Index numbers,
                                         const std::function<Value()>& draw) {
  return numbers <= max_shared_numbers ? input.common.of<Value>(name, draw) : std::make_shared<const Value>(draw());
}

}  // namespace poslab::experiments
