// SPDX-License-Identifier: Apache-2.0
// Cells of distance-profile, small enough for every scheme, and what several of its tests compare with.
// Dimension letters: N positions, D model width, H heads, K head width, C contents.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cells.hpp"

namespace distance_profile_cells {

using cells::Answer;
using cells::Cell;
using cells::Index;
using cells::whole;
using poslab::data::Value;

inline Cell cell(const std::string& scheme, std::int64_t N, std::int64_t C = 2, Index D = 64, Index H = 8) {
  return {"distance-profile", scheme, {{"length", whole(N)}, {"contents", whole(C)}}, {}, {D, H, N}};
}

/// By how much RoPE's plane rotates from one position to the next.
inline double angle(Index plane, Index K) {
  return std::pow(1e4, -2 * static_cast<double>(plane) / static_cast<double>(K));
}

inline void check_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    REQUIRE_THAT(a[i], check::WithinAbs(b[i], tolerance * (1 + std::abs(b[i]))));
  }
}

}  // namespace distance_profile_cells
