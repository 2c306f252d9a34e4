// SPDX-License-Identifier: Apache-2.0
// Arithmetic and functions of a Variable, each with its derivative. With `using namespace poslab` an unqualified exp(x)
// serves float, double and Variable alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "poslab/sdk/tape.hpp"
#include "poslab/sdk/trigonometry.hpp"

namespace poslab {

using std::abs;
using std::cos;
using std::erf;
using std::exp;
using std::exp2;
using std::expm1;
using std::floor;
using std::log;
using std::log1p;
using std::log2;
using std::pow;
using std::sin;
using std::sqrt;
using std::tanh;

inline Variable operator+(const Variable& a, const Variable& b) { return sdk::Tape::binary(a.value() + b.value(), a, 1, b, 1); }
inline Variable operator-(const Variable& a, const Variable& b) { return sdk::Tape::binary(a.value() - b.value(), a, 1, b, -1); }
inline Variable operator*(const Variable& a, const Variable& b) {
  return sdk::Tape::binary(a.value() * b.value(), a, b.value(), b, a.value());
}
inline Variable operator/(const Variable& a, const Variable& b) {
  const double quotient = a.value() / b.value();
  return sdk::Tape::binary(quotient, a, 1 / b.value(), b, -quotient / b.value());
}
inline Variable operator-(const Variable& a) { return sdk::Tape::unary(-a.value(), a, -1); }
inline Variable operator+(const Variable& a) { return a; }

inline Variable& Variable::operator+=(const Variable& b) { return *this = *this + b; }
inline Variable& Variable::operator-=(const Variable& b) { return *this = *this - b; }
inline Variable& Variable::operator*=(const Variable& b) { return *this = *this * b; }
inline Variable& Variable::operator/=(const Variable& b) { return *this = *this / b; }

inline bool operator==(const Variable& a, const Variable& b) { return a.value() == b.value(); }
inline bool operator<(const Variable& a, const Variable& b) { return a.value() < b.value(); }
inline bool operator>(const Variable& a, const Variable& b) { return b < a; }
inline bool operator<=(const Variable& a, const Variable& b) { return a.value() <= b.value(); }
inline bool operator>=(const Variable& a, const Variable& b) { return b <= a; }

inline Variable exp(const Variable& x) {
  const double y = std::exp(x.value());
  return sdk::Tape::unary(y, x, y);
}
inline Variable exp2(const Variable& x) {
  const double y = std::exp2(x.value());
  return sdk::Tape::unary(y, x, y * std::numbers::ln2);
}
inline Variable expm1(const Variable& x) { return sdk::Tape::unary(std::expm1(x.value()), x, std::exp(x.value())); }
inline Variable log(const Variable& x) { return sdk::Tape::unary(std::log(x.value()), x, 1 / x.value()); }
inline Variable log2(const Variable& x) {
  return sdk::Tape::unary(std::log2(x.value()), x, std::numbers::log2e / x.value());
}
inline Variable log1p(const Variable& x) { return sdk::Tape::unary(std::log1p(x.value()), x, 1 / (1 + x.value())); }
inline Variable sqrt(const Variable& x) {
  const double y = std::sqrt(x.value());
  return sdk::Tape::unary(y, x, 0.5 / y);
}
inline Variable sin(const Variable& x) {
  const SineCosine at = sine_and_cosine(x.value());
  return sdk::Tape::unary(at.sine, x, at.cosine);
}
inline Variable cos(const Variable& x) {
  const SineCosine at = sine_and_cosine(x.value());
  return sdk::Tape::unary(at.cosine, x, -at.sine);
}
inline Variable tanh(const Variable& x) {
  const double y = std::tanh(x.value());
  return sdk::Tape::unary(y, x, 1 - y * y);
}
inline Variable erf(const Variable& x) {
  const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-x.value() * x.value());
  return sdk::Tape::unary(std::erf(x.value()), x, slope);
}
/// At 0 the derivative is 0.
inline Variable abs(const Variable& x) {
  return sdk::Tape::unary(std::abs(x.value()), x, x.value() > 0 ? 1 : x.value() < 0 ? -1 : 0);
}
/// Constant between the integers.
inline Variable floor(const Variable& x) { return std::floor(x.value()); }
/// x^y for x > 0; at x = 0 what depends on log(x) gives 0.
inline Variable pow(const Variable& x, const Variable& y) {
  const double value = std::pow(x.value(), y.value());
  const double by_x = y.value() == 0 ? 0 : y.value() * std::pow(x.value(), y.value() - 1);
  return sdk::Tape::binary(value, x, by_x, y, x.value() > 0 ? value * std::log(x.value()) : 0);
}

}  // namespace poslab
