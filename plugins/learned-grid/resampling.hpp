// SPDX-License-Identifier: Apache-2.0
// Resampling one axis of a grid, as PyTorch's interpolate does: which old places a new one is made of, and their
// weights. Pixels have extents (align_corners = false), or are points (align_corners = true).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace resampling {

struct Tap {
  int at;
  double weight;
};

/// What a new place is made of. Their weights sum to 1.
using Taps = std::vector<Tap>;

/// Keys' cubic convolution at a distance x >= 0; A is its slope at 1.
inline double cubic(double x, double A) {
  if (x < 1) return ((A + 2) * x - (A + 3)) * x * x + 1;
  return x < 2 ? ((A * x - 5 * A) * x + 8 * A) * x - 4 * A : 0;
}

/// The two old places around `x`; beyond the ends there is the last one.
inline Taps linear_taps(double x, int count) {
  const double inside = std::max(x, 0.0);
  const int low = std::min(static_cast<int>(inside), count - 1), high = std::min(low + 1, count - 1);
  const double share = std::min(std::max(inside - low, 0.0), 1.0);
  return {{low, 1 - share}, {high, share}};
}

/// The four old places around `x`, A = -3/4; places beyond the ends are the last one again.
inline Taps cubic_taps(double x, int count) {
  constexpr double A = -0.75;
  const double low = std::floor(x);
  Taps taps;
  for (int i = -1; i <= 2; ++i) {
    const int at = std::clamp(static_cast<int>(low) + i, 0, count - 1);
    taps.push_back({at, cubic(std::abs(x - (low + i)), A)});
  }
  return taps;
}

/// Antialiased: all old places under a filter that is `step` times as wide where the new grid is coarser (step > 1);
/// what lies beyond the ends is left out, and the weights are divided by their sum. The cubic has A = -1/2.
inline Taps filtered_taps(double centre, double step, int count, bool is_cubic) {
  constexpr double A = -0.5;
  const double width = std::max(step, 1.0), reach = (is_cubic ? 2 : 1) * width;
  const int first = std::max(static_cast<int>(centre - reach + 0.5), 0),
            end = std::min(static_cast<int>(centre + reach + 0.5), count);
  Taps taps;
  double sum = 0;
  for (int at = first; at < end; ++at) {
    const double x = std::abs((at - centre + 0.5) / width);
    taps.push_back({at, is_cubic ? cubic(x, A) : std::max(1 - x, 0.0)});
    sum += taps.back().weight;
  }
  for (Tap& tap : taps) tap.weight /= sum;
  return taps;
}

}  // namespace resampling
