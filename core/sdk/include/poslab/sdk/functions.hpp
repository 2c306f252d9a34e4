// SPDX-License-Identifier: Apache-2.0
// The functions of a formula, for float, double and Variable alike, unqualified under `using namespace poslab`; numbers
// of these and whole ones may be mixed. writing-a-scheme.md lists them.
#pragma once

#include <type_traits>
#include <utility>

#include "poslab/sdk/activation.hpp"
#include "poslab/sdk/variable.hpp"

namespace poslab {

namespace sdk {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_same_v<T, Variable> || std::is_same_v<T, Point>;

/// What A and B are compared as: what their sum is.
template <Number A, Number B>
using Mixed = std::decay_t<decltype(std::declval<A>() + std::declval<B>())>;

}  // namespace sdk

/// The greater one; the first if they are equal, whose derivative it then has.
template <sdk::Number A, sdk::Number B>
constexpr sdk::Mixed<A, B> max(const A& a, const B& b) {
  using S = sdk::Mixed<A, B>;
  const S x = static_cast<S>(a), y = static_cast<S>(b);
  return x < y ? y : x;
}
/// The lesser one; the first if they are equal, whose derivative it then has.
template <sdk::Number A, sdk::Number B>
constexpr sdk::Mixed<A, B> min(const A& a, const B& b) {
  using S = sdk::Mixed<A, B>;
  const S x = static_cast<S>(a), y = static_cast<S>(b);
  return y < x ? y : x;
}

}  // namespace poslab
