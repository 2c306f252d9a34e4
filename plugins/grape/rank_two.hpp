// SPDX-License-Identifier: Apache-2.0
// exp(t L) x of the skew matrix L = a b^T - b a^T, of rank 2: it turns the plane of a and b, and leaves what is
// orthogonal to both. Rodrigues' formula, I + sin(ts)/s L + (1 - cos(ts))/s^2 L^2 with s^2 = |a|^2 |b|^2 - (a.b)^2, as
// functions of s^2, which are smooth where a and b are parallel.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

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

/// The derivatives of sinc and cosc by z.
inline double sinc_slope(double z) {
  if (z < small) {
    double sum = 0;
    for (int n = 8; n > 0; --n) sum = (1 + sum) * z * (-(n + 1.0) / (n * (2 * n + 2) * (2 * n + 3)));
    return (1 + sum) / -6;
  }
  return (std::cos(std::sqrt(z)) - sinc(z)) / (2 * z);
}
inline double cosc_slope(double z) { return sinc(z / 4) * sinc_slope(z / 4) / 4; }

/// exp(t L), of which a and b are kept by reference.
template <class T, class A>
class Turn {
 public:
  Turn(const A& a, const A& b, const T& t) : a_(a), b_(b), t_(t) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      const T ak(a[k]), bk(b[k]);
      aa_ += ak * ak, bb_ += bk * bk, ab_ += ak * bk;
    }
    z_ = t * t * (aa_ * bb_ - ab_ * ab_);
    once_ = t * sinc(z_), twice_ = t * t * cosc(z_);
  }

  /// x -> exp(t L) x = x + of_a a - of_b b, in place.
  template <class X>
  void apply(X& x) const {
    T ax(0), bx(0);
    for (std::size_t k = 0; k < x.size(); ++k) ax += T(a_[k]) * x[k], bx += T(b_[k]) * x[k];
    const T of_a = once_ * bx + twice_ * (ab_ * bx - bb_ * ax), of_b = once_ * ax + twice_ * (aa_ * bx - ab_ * ax);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += of_a * T(a_[k]) - of_b * T(b_[k]);
  }

  /// g, the gradient by exp(t L) x, becomes that by x, exp(-t L) g; those by a and b are added to da and db.
  template <class X, class G, class D>
  void pass_back(const X& x, G& g, D&& da, D&& db) const {
    double ax = 0, bx = 0, ag = 0, bg = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double ak = a_[k], bk = b_[k];
      ax += ak * x[k], bx += bk * x[k], ag += ak * g[k], bg += bk * g[k];
    }
    const double of_a = once_ * bx + twice_ * (ab_ * bx - bb_ * ax), of_b = once_ * ax + twice_ * (aa_ * bx - ab_ * ax);
    // loss = g.x + of_a ag - of_b bg, by what it is made of; aa, bb and ab are in z, too.
    const double by_once = ag * bx - bg * ax, by_twice = ag * (ab_ * bx - bb_ * ax) - bg * (aa_ * bx - ab_ * ax),
                 by_z = t_ * by_once * sinc_slope(z_) + t_ * t_ * by_twice * cosc_slope(z_), by_area = t_ * t_ * by_z,
                 by_aa = by_area * bb_ - twice_ * bg * bx, by_bb = by_area * aa_ - twice_ * ag * ax,
                 by_ab = twice_ * (ag * bx + bg * ax) - 2 * by_area * ab_,
                 by_ax = -twice_ * bb_ * ag - (once_ - twice_ * ab_) * bg,
                 by_bx = (once_ + twice_ * ab_) * ag - twice_ * aa_ * bg;
    using Number = std::remove_cvref_t<decltype(da[0])>;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double ak = a_[k], bk = b_[k];
      da[k] += Number(of_a * g[k] + by_ax * x[k] + 2 * by_aa * ak + by_ab * bk);
      db[k] += Number(by_bx * x[k] - of_b * g[k] + 2 * by_bb * bk + by_ab * ak);
      g[k] += by_ax * ak + by_bx * bk;
    }
  }

 private:
  const A& a_;
  const A& b_;
  T t_, aa_ = T(0), bb_ = T(0), ab_ = T(0), z_, once_, twice_;
};

}  // namespace rank_two
