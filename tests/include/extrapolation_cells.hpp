// SPDX-License-Identifier: Apache-2.0
// Cells of extrapolation, small enough for every scheme, and how far a curve is from a formula.
// Dimension letters: L trained length, D model width, H heads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cells.hpp"

namespace extrapolation_cells {

using poslab::data::Value;

constexpr poslab::base::Index D = 16, H = 2;

inline cells::Cell cell(const std::string& scheme, std::int64_t L, std::int64_t points,
                        std::vector<double> multiples = {1, 2, 4}) {
  return {"extrapolation",
          scheme,
          {{"train_length", Value(L)}, {"points", Value(points)}, {"multiple", Value(std::move(multiples))}},
          {},
          {D, H, L}};
}

/// The largest difference from value(position) over every position of a curve.
template <class Formula>
double worst(const cells::Answer& answer, const char* measure, const Formula& value) {
  const std::vector<double>& positions = answer.record.coordinate_of("position")->values;
  double worst = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double difference = std::abs(answer.curve(measure)[i] - value(positions[i]));
    if (std::isnan(difference)) return difference;  // no check passes with it
    worst = std::max(worst, difference);
  }
  return worst;
}

}  // namespace extrapolation_cells
