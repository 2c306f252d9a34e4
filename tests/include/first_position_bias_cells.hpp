// SPDX-License-Identifier: Apache-2.0
// Cells of first-position-bias, small enough for every scheme.
// Dimension letters: D model width, H heads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cells.hpp"

namespace first_position_bias_cells {

using poslab::base::Index;
using poslab::data::Value;

constexpr Index D = 16, H = 4;

inline cells::Cell cell(const std::string& scheme, std::int64_t length, std::vector<double> depth, double gain = 1) {
  return {"first-position-bias",
          scheme,
          {{"length", Value(length)}, {"depth", Value(std::move(depth))}, {"query_gain", Value(gain)}},
          {},
          {D, H, length}};
}

}  // namespace first_position_bias_cells
