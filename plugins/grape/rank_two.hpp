// SPDX-License-Identifier: Apache-2.0
// exp(t L) x of the skew matrix L = a b^T - b a^T, of rank 2: it turns the plane of a and b, and leaves what is
// orthogonal to both. Rodrigues' formula, I + sin(ts)/s L + (1 - cos(ts))/s^2 L^2 with s^2 = |a|^2 |b|^2 - (a.b)^2, as
// functions of s^2, which are smooth where a and b are parallel.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace rank_two {

// Up to here the series below are exact to the last digit of a double.
inline constexpr double small = 0.25;

/// sin(sqrt z) / sqrt z
template <class T>
T sinc(const T& z) {
  using std::sin, std::sqrt;
  if (z < small) {
    T sum(0);
    for (int n = 8; n > 0; --n) sum = (T(1) + sum) * z * (-1.0 / (2 * n * (2 * n + 1)));
    return T(1) + sum;
  }
  const T root = sqrt(z);
  return sin(root) / root;
}

/// (1 - cos(sqrt z)) / z = sinc(z / 4)^2 / 2
template <class T>
T cosc(const T& z) {
  const T half = sinc(T(z * 0.25));
  return half * half * 0.5;
}

/// x -> exp(t L) x, in place.
template <class T, class A>
void turn(std::vector<T>& x, const A& a, const A& b, const T& t) {
  T aa(0), bb(0), ab(0), ax(0), bx(0);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const T ak(a[k]), bk(b[k]);
    aa += ak * ak, bb += bk * bk, ab += ak * bk, ax += ak * x[k], bx += bk * x[k];
  }
  const T z = t * t * (aa * bb - ab * ab), once = t * sinc(z), twice = t * t * cosc(z);
  const T of_a = once * bx + twice * (ab * bx - bb * ax), of_b = once * ax + twice * (aa * bx - ab * ax);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += of_a * T(a[k]) - of_b * T(b[k]);
}

}  // namespace rank_two
