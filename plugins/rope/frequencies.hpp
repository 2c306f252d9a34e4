// SPDX-License-Identifier: Apache-2.0
// The frequencies of RoPE and of its scalings to longer contexts, formula by formula.
// Dimension letters: R rotary width, m = 0 .. R/2 - 1 a plane, w_m its frequency; s factor, L original length.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace poslab {

using Frequencies = std::vector<double>;  // radians per position, [R / 2]

/// w_m = b^(-2m/R). Su et al. 2021, section 3.2.2.
inline Frequencies powers(double base, int R) {
  Frequencies w;
  for (int m = 0; m < R / 2; ++m) w.push_back(std::pow(base, -2.0 * m / R));
  return w;
}

/// w_m / lambda_m: position interpolation where all lambda are s (Chen et al. 2023, section 2.3), else LongRoPE (Ding
/// et al. 2024).
inline Frequencies divided(Frequencies w, const std::vector<double>& lambda) {
  for (std::size_t m = 0; m < w.size(); ++m) w[m] /= lambda[m];
  return w;
}
inline Frequencies divided(Frequencies w, double s) {
  for (double& x : w) x /= s;
  return w;
}

/// b alpha^(R/(R-2)): the highest frequency stays, the lowest is divided by alpha. YaRN (Peng et al. 2023), section
/// 3.1.
inline double ntk_base(double base, double alpha, int R) {
  return base * std::pow(alpha, static_cast<double>(R) / (R - 2));
}

/// alpha = s T / Lmax - (s - 1), from 1 at Lmax on: dynamic NTK, YaRN section 3.3 and Hugging Face's code.
inline double dynamic_alpha(double s, double length, double limit) {
  return s * std::max(length, limit) / limit - (s - 1);
}

/// Planes below `first` rotate more than `fast` times in the original length, planes above `last` less than `slow`
/// times.
struct PlaneRange {
  double first, last;
};

/// The plane that rotates r times in L positions is R ln(L / (2 pi r)) / (2 ln b), in the code rounded outwards.
inline PlaneRange plane_range(double fast, double slow, double L, double base, int R, bool truncate = true) {
  const auto plane = [&](double turns) {
    return R * std::log(L / (2 * std::numbers::pi * turns)) / (2 * std::log(base));
  };
  const double first = plane(fast), last = plane(slow);
  return {std::max(truncate ? std::floor(first) : first, 0.0),
          std::min(truncate ? std::ceil(last) : last, static_cast<double>(R - 1))};
}

/// 0 below the range, 1 above it, linear in the plane's number between.
inline double ramp(const PlaneRange& range, std::size_t m) {
  const double width = range.last == range.first ? 0.001 : range.last - range.first;
  return std::clamp((static_cast<double>(m) - range.first) / width, 0.0, 1.0);
}

/// Interpolated where planes rotate slowly, left where they rotate fast: YaRN sections 3.2 and 3.4, with the released
/// code's ramp over the plane's number.
inline Frequencies yarn(double base, int R, double s, const PlaneRange& range) {
  Frequencies w = powers(base, R);
  for (std::size_t m = 0; m < w.size(); ++m) {
    const double keep = 1 - ramp(range, m);
    w[m] = w[m] / s * (1 - keep) + w[m] * keep;
  }
  return w;
}

/// The first release of NTK-by-parts (bloc97): slow planes interpolated, the next by NTK's base, fast ones left.
inline Frequencies ntk_by_parts(double base, int R, double s, const PlaneRange& slow, const PlaneRange& fast) {
  Frequencies w = powers(base, R);
  const Frequencies ntk = powers(ntk_base(base, s, R), R);
  for (std::size_t m = 0; m < w.size(); ++m) {
    const double by_ntk = 1 - ramp(slow, m), keep = 1 - ramp(fast, m);
    const double scaled = w[m] / s * (1 - by_ntk) + ntk[m] * by_ntk;
    w[m] = scaled * (1 - keep) + w[m] * keep;
  }
  return w;
}

/// Wavelengths above L / low are interpolated, those below L / high left, blended between. Meta's Llama 3.1 code.
inline Frequencies llama3(Frequencies w, double s, double low, double high, double L) {
  for (double& x : w) {
    const double wavelength = 2 * std::numbers::pi / x;
    const double keep = std::clamp((L / wavelength - low) / (high - low), 0.0, 1.0);
    x = (1 - keep) * x / s + keep * x;
  }
  return w;
}

/// The floor(p R / 2) highest frequencies, spaced as for all R; the others stand still. Barbero et al. 2025.
inline Frequencies proportional(Frequencies w, double p) {
  const auto rotated = static_cast<std::size_t>(p * static_cast<double>(2 * w.size()) / 2);
  std::fill(w.begin() + static_cast<std::ptrdiff_t>(rotated), w.end(), 0.0);
  return w;
}

/// By how much YaRN stretches queries and keys: 0.1 mscale ln s + 1. YaRN section 3.4; `mscale` is DeepSeek-V2's.
inline double yarn_magnitude(double s, double mscale = 1) { return s > 1 ? 0.1 * mscale * std::log(s) + 1 : 1; }

/// sqrt(1 + ln s / ln L). Ding et al. 2024 and Phi-3's code.
inline double longrope_magnitude(double s, double L) { return s > 1 ? std::sqrt(1 + std::log(s) / std::log(L)) : 1; }

}  // namespace poslab
