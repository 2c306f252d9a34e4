// SPDX-License-Identifier: Apache-2.0
// Sine and cosine of many angles at once, the same bits on every x86-64: no branches, no fused multiply-add (compile
// with -ffp-contract=off), so that the compiler may use whatever vectors the machine has. glibc's differ between
// machines.
//
// The angle is brought to [-pi/4, pi/4] by subtracting a multiple of pi/2 that is kept in four parts (Cody and Waite);
// there two polynomials serve (fdlibm's minimax coefficients). Error below 1 ulp. Angles beyond `largest_fast_angle`
// take the exact path of huge_angle.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "poslab/sdk/huge_angle.hpp"

// Schemes are compiled without AVX-512, by whose instructions GCC 12 fuses a rotation. Here is none, and
// POSLAB_HAS_AVX512 says that the machine has them.
#if defined(POSLAB_HAS_AVX512) && !defined(__AVX512F__)
#define POSLAB_WITH_AVX512 [[gnu::target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl"), gnu::noinline]]
#else
#define POSLAB_WITH_AVX512
#endif

namespace poslab {

struct SineCosine {
  double sine, cosine;
};

namespace sdk {

// Up to here the multiple of pi/2 has at most 20 bits, and its products with 33-bit parts are exact.
inline constexpr double largest_fast_angle = 1647099.0;  // 2^20 pi/2

/// An angle in [-pi/4, pi/4] as head + tail, and how many quarter turns were taken off (only the last two bits count).
struct ReducedAngle {
  double head, tail;
  std::uint64_t quarters;
};

inline ReducedAngle reduce_fast(double angle) {
  // pi/2 in parts of 33 bits, and the rest of it.
  constexpr double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2ep-69,
                   rest = 0x1.b839a252049c1p-104;
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  constexpr double rounder = 0x1.8p+52;  // adding it leaves the nearest integer in the last bits
  const double shifted = angle * two_over_pi + rounder;
  const double k = shifted - rounder;
  const double a = angle - k * part1;  // exact
  const double t2 = k * part2, b = a - t2, lost2 = (a - b) - t2;
  const double t3 = k * part3, c = b - t3, lost3 = (b - c) - t3;
  const double correction = k * rest - lost3 - lost2;
  const double head = c - correction;
  return {head, (c - head) - correction, std::bit_cast<std::uint64_t>(shifted)};
}

/// Sine and cosine of a reduced angle, put back into its quarter.
inline SineCosine of_reduced(const ReducedAngle& angle) {
  const double x = angle.head, y = angle.tail, z = x * x, v = z * x;
  const double p =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const double sine = x - ((z * (0.5 * y - v * p) - y) + v * 1.66666666666666324348e-01);
  const double q = z * (4.16666666666666019037e-02 +
                        z * (-1.38888888888741095749e-03 +
                             z * (2.48015872894767294178e-05 +
                                  z * (-2.75573143513906633035e-07 +
                                       z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1.0 - half;
  const double cosine = w + (((1.0 - w) - half) + (z * q - x * y));
  // Odd quarters swap the two; quarters 2 and 3 change the sine's sign, 1 and 2 the cosine's. With bits, not branches.
  std::uint64_t s = std::bit_cast<std::uint64_t>(sine), c = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t exchanged = (s ^ c) & -(angle.quarters & 1U);
  s ^= exchanged ^ ((angle.quarters & 2U) << 62U);
  c ^= exchanged ^ (((angle.quarters + 1U) & 2U) << 62U);
  return {std::bit_cast<double>(s), std::bit_cast<double>(c)};
}

inline SineCosine of_huge(double angle) {
  const HugeReduction r = reduce_huge(angle);
  return of_reduced({r.head, r.tail, r.quarters});
}

}  // namespace sdk

/// Sine and cosine of one angle in radians, the same bits as in a batch. Not finite: both NaN.
inline SineCosine sine_and_cosine(double angle) {
  if (std::abs(angle) <= sdk::largest_fast_angle) return sdk::of_reduced(sdk::reduce_fast(angle));
  return sdk::of_huge(angle);
}

namespace sdk {

/// One batch: `rounded` makes an S of each. At most one pass over the exact path, where some angle is huge.
template <class S, class Rounded>
POSLAB_WITH_AVX512 void sines_and_cosines_of(double factor, const double* __restrict frequencies, S* __restrict sines,
                                             S* __restrict cosines, std::size_t count, Rounded rounded) {
  std::int64_t huge = 0;
  for (std::size_t m = 0; m < count; ++m) {
    const double angle = factor * frequencies[m];
    huge |= std::int64_t{!(std::abs(angle) <= largest_fast_angle)};
    const SineCosine result = of_reduced(reduce_fast(angle));
    sines[m] = rounded(result.sine);
    cosines[m] = rounded(result.cosine);
  }
  if (huge == 0) return;
  for (std::size_t m = 0; m < count; ++m) {
    const SineCosine result = sine_and_cosine(factor * frequencies[m]);
    sines[m] = rounded(result.sine);
    cosines[m] = rounded(result.cosine);
  }
}

/// Calls use(m, sine, cosine) for every angle, in batches.
template <class S, class Rounded, class Use>
void for_each_angle(double factor, std::span<const double> frequencies, Rounded rounded, Use use) {
  constexpr std::size_t batch = 128;
  S sines[batch], cosines[batch];
  for (std::size_t first = 0; first < frequencies.size(); first += batch) {
    const std::size_t count = std::min(batch, frequencies.size() - first);
    sines_and_cosines_of(factor, frequencies.data() + first, sines, cosines, count, rounded);
    for (std::size_t k = 0; k < count; ++k) use(first + k, sines[k], cosines[k]);
  }
}

}  // namespace sdk

/// Sine and cosine of every `factor * frequencies[m]`.
inline void sines_and_cosines(double factor, std::span<const double> frequencies, std::span<double> sines,
                              std::span<double> cosines) {
  sdk::sines_and_cosines_of(factor, frequencies.data(), sines.data(), cosines.data(), frequencies.size(),
                            [](double x) { return x; });
}

/// Calls use(m, sine, cosine) for every angle `factor * frequencies[m]`.
template <class Use>
void for_sines_and_cosines(double factor, std::span<const double> frequencies, Use use) {
  sdk::for_each_angle<double>(
      factor, frequencies, [](double x) { return x; }, use);
}

}  // namespace poslab
