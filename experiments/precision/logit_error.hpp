// SPDX-License-Identifier: Apache-2.0
// What logits are worth that are made with rounded numbers, at positions near 0 and far from it.
// Dimension letters: C contents, M positions of a window, W channels, R shifts.
#pragma once

#include <vector>

#include "window_logits.hpp"

namespace poslab::experiments::precision {

/// Logits that are off by more do not serve any longer: sd, of root mean squares.
inline constexpr double broken = 0.1;

struct LogitSetting {
  std::span<const double> frequencies;
  std::vector<double> window;  ///< [M] positions before they are shifted
  std::vector<double> shifts;  ///< [R]
  Use use;
};

/// One number a shift; NaN where the format has no number for a position or an angle.
struct LogitErrors {
  std::vector<double> largest, root_mean_square;  ///< of kept less exact logits at the same shift
  std::vector<double> moved;                      ///< rms of kept logits at the shift less kept logits unshifted
};

/// For queries and keys [C, M, W]; on all threads, the same bits on any number of them.
LogitErrors logit_errors(const LogitSetting& setting, const Rounding& keep, View<const double> queries,
                         View<const double> keys);

}  // namespace poslab::experiments::precision
