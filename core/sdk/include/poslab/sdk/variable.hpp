// SPDX-License-Identifier: Apache-2.0
// Arithmetic and functions of a Variable, each with its derivative. With `using namespace poslab` an unqualified exp(x)
// serves float, double and Variable alike.
#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <numbers>
#include <type_traits>

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

namespace sdk {

/// Two operands of which one is a Variable and the other it, a number or a Point.
template <class A, class B>
concept WithVariable = (std::is_same_v<A, Variable> && std::is_constructible_v<Variable, const B&>) ||
                       (std::is_same_v<B, Variable> && std::is_constructible_v<Variable, const A&>);

inline Variable sum(const Variable& a, const Variable& b) { return Tape::binary(a.value() + b.value(), a, 1, b, 1); }
inline Variable difference(const Variable& a, const Variable& b) {
  return Tape::binary(a.value() - b.value(), a, 1, b, -1);
}
inline Variable product(const Variable& a, const Variable& b) {
  return Tape::binary(a.value() * b.value(), a, b.value(), b, a.value());
}
inline Variable quotient(const Variable& a, const Variable& b) {
  const double value = a.value() / b.value();
  return Tape::binary(value, a, 1 / b.value(), b, -value / b.value());
}

}  // namespace sdk

template <class A, class B>
requires sdk::WithVariable<A, B> Variable operator+(const A& a, const B& b) {
  return sdk::sum(Variable(a), Variable(b));
}
template <class A, class B>
requires sdk::WithVariable<A, B> Variable operator-(const A& a, const B& b) {
  return sdk::difference(Variable(a), Variable(b));
}
template <class A, class B>
requires sdk::WithVariable<A, B> Variable operator*(const A& a, const B& b) {
  return sdk::product(Variable(a), Variable(b));
}
template <class A, class B>
requires sdk::WithVariable<A, B> Variable operator/(const A& a, const B& b) {
  return sdk::quotient(Variable(a), Variable(b));
}
template <std::same_as<Variable> V>  // of a Point they are a double's
V operator-(const V& a) {
  return sdk::Tape::unary(-a.value(), a, -1);
}
template <std::same_as<Variable> V>
V operator+(const V& a) {
  return a;
}

inline Variable& Variable::operator+=(const Variable& b) { return *this = *this + b; }
inline Variable& Variable::operator-=(const Variable& b) { return *this = *this - b; }
inline Variable& Variable::operator*=(const Variable& b) { return *this = *this * b; }
inline Variable& Variable::operator/=(const Variable& b) { return *this = *this / b; }

template <class A, class B>
requires sdk::WithVariable<A, B>
bool operator==(const A& a, const B& b) { return Variable(a).value() == Variable(b).value(); }
/// <, <=, >, >= compare the numbers.
template <class A, class B>
requires sdk::WithVariable<A, B> std::partial_ordering operator<=>(const A& a, const B& b) {
  return Variable(a).value() <=> Variable(b).value();
}

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
template <class A, class B>
requires(sdk::WithVariable<A, B> && (std::is_same_v<A, Point> || std::is_same_v<B, Point>)) Variable
    pow(const A& x, const B& y) {
  return pow(Variable(x), Variable(y));
}

// For a position: a Point converts to double and to Variable.
#define POSLAB_SDK_OF_POINT(f) \
  inline double f(const Point& x) { return std::f(double{x}); }
POSLAB_SDK_OF_POINT(abs)
POSLAB_SDK_OF_POINT(cos)
POSLAB_SDK_OF_POINT(erf)
POSLAB_SDK_OF_POINT(exp)
POSLAB_SDK_OF_POINT(exp2)
POSLAB_SDK_OF_POINT(expm1)
POSLAB_SDK_OF_POINT(floor)
POSLAB_SDK_OF_POINT(log)
POSLAB_SDK_OF_POINT(log1p)
POSLAB_SDK_OF_POINT(log2)
POSLAB_SDK_OF_POINT(sin)
POSLAB_SDK_OF_POINT(sqrt)
POSLAB_SDK_OF_POINT(tanh)
#undef POSLAB_SDK_OF_POINT
template <class A, class B>
requires((std::is_same_v<A, Point> && (std::is_arithmetic_v<B> || std::is_same_v<B, Point>)) ||
         (std::is_arithmetic_v<A> && std::is_same_v<B, Point>)) auto pow(const A& x, const B& y) {
  using S = decltype(x + y);
  return std::pow(static_cast<S>(x), static_cast<S>(y));
}
/// std's has none for these.
template <std::unsigned_integral Whole>
constexpr auto abs(Whole x) {
  return +x;
}

}  // namespace poslab
