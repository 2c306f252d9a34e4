// SPDX-License-Identifier: Apache-2.0
// Whether what a cell measures depends on the number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "cells.hpp"

namespace cells {

/// Names of the measures that have other bits on 2 or 8 threads than on one; empty: none has. A cell that is skipped or
/// measures nothing throws: it would have shown nothing.
inline std::string changed_by_threads(const Cell& cell) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  std::vector<Answer> answers;
  for (const int threads : {1, 2, 8}) {
    tbb::task_arena arena(threads);
    arena.execute([&] { answers.push_back(run(cell)); });
  }
  const auto& measured = answers.front().record.measurements();
  if (measured.empty()) throw std::logic_error("nothing was measured: " + answers.front().skip);
  std::string changed;
  for (const auto& measure : measured) {
    const std::vector<double>& one = measure.values;
    for (const Answer& answer : {answers[1], answers[2]})
      if (const std::vector<double>& other = answer.curve(measure.name);
          other.size() != one.size() || std::memcmp(other.data(), one.data(), 8 * one.size()) != 0)
        changed += measure.name + " ";
  }
  return changed;
}

}  // namespace cells
