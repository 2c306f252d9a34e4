// SPDX-License-Identifier: Apache-2.0
// That a record does not depend on the number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <string>

#include "catch.hpp"
#include "cells.hpp"

namespace cells {

/// `bytes()`, called on 1, 2 and 8 threads, gives the same bytes, which are some.
template <class Bytes>
void check_same_on_threads(const Bytes& bytes) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  const auto on = [&](int threads) { return tbb::task_arena(threads).execute(bytes); };
  const std::string one = on(1);
  CHECK(!one.empty());
  CHECK((on(2) == one));
  CHECK((on(8) == one));
}

/// The whole record of a cell, which is not skipped.
inline void check_same_bits(const Cell& cell) {
  CAPTURE(cell.experiment, cell.scheme);
  check_same_on_threads([&] {
    const Answer answer = run(cell);
    if (!answer.skip.empty()) throw std::logic_error("the cell is skipped: " + answer.skip);
    return bytes_of(answer.record);
  });
}

}  // namespace cells
