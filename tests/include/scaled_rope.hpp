// SPDX-License-Identifier: Apache-2.0
// What the tests of RoPE's scalings share: scaled variants, what becomes of each plane, ranges of planes.
// Dimension letters: R rotary width (here all of the head), L original length.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "scheme_check.hpp"

namespace scaled_rope {

using check::Value;
using poslab::base::Index;
using poslab::data::Values;

constexpr double pi = std::numbers::pi;

inline Values scaled(const std::string& scaling, Values more = {}) {
  more.set("scaling", Value(scaling));
  return more;
}

inline Value whole(std::int64_t x) { return x; }
inline Value real(double x) { return x; }
inline Value numbers(std::vector<double> x) { return Value(std::move(x)); }

inline std::unique_ptr<poslab::host::Scheme> rope(const Values& values, Index R, Index train_length = 512) {
  return check::scheme("rope", values, {R, 1, train_length});
}

/// The frequency of plane m, unscaled.
inline double w(double base, Index m, Index R) {
  return std::pow(base, -2.0 * static_cast<double>(m) / static_cast<double>(R));
}

/// What (1, 0) in plane m becomes at position 1: its angle and its length.
struct Plane {
  double angle, length;
};
inline Plane plane(const poslab::host::Scheme& scheme, Index m, Index length) {
  poslab::base::Array<double> x({1, 1, scheme.model().head_width()});
  x(0, 0, 2 * m) = 1;
  scheme.transform<double>({length, scheme.model().train_length, true}, poslab::host::Side::key, check::positions({1}),
                           {}, x);
  return {std::atan2(x(0, 0, 2 * m + 1), x(0, 0, 2 * m)), std::hypot(x(0, 0, 2 * m), x(0, 0, 2 * m + 1))};
}

inline void check_planes(const poslab::host::Scheme& scheme, Index length, const std::function<double(Index)>& wanted,
                         double magnitude = 1) {
  for (Index m = 0; m < scheme.model().head_width() / 2; ++m) {
    const Plane found = plane(scheme, m, length);
    CHECK_THAT(found.angle, check::WithinRel(wanted(m), 1e-13));
    CHECK_THAT(found.length, check::WithinRel(magnitude, 1e-14));
  }
}

/// The plane that rotates r times in L positions, solved for by bisection of L w(m) = 2 pi r over real m.
inline double plane_that_turns(double r, double L, double base, double R) {
  double low = -1e4, high = 1e4;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (L * std::pow(base, -2 * middle / R) > 2 * pi * r ? low : high) = middle;
  }
  return low;
}

/// 1 for planes at or below `first`, 0 from `last` on, linear between: how much of a frequency is kept.
inline double kept(double m, double first, double last) {
  if (first == last) last += 0.001;
  return m <= first ? 1 : m >= last ? 0 : (last - m) / (last - first);
}

}  // namespace scaled_rope
