// SPDX-License-Identifier: Apache-2.0
// Sums over rows that schemes with `score` and `mix` are made of, for any scalar. Sums run in a fixed order, in
// lanes, so that they are vector code and have the same bits on every machine.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "poslab/sdk/bounds.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tape.hpp"
#include "poslab/sdk/variable.hpp"

namespace poslab {

namespace sdk {

// 32 bytes, whatever the machine has, as a vector of GCC's and Clang's: over plain arrays of lanes GCC 12 shuffles in
// memory, which takes ten times as long as the products.
template <class S>
struct Vector {
  static constexpr std::size_t width = 32 / sizeof(S);
  typedef S Type __attribute__((vector_size(32)));

  template <class Number>
  static void load(Type& out, const Number* from) {
    if constexpr (std::is_same_v<Number, S>)
      std::memcpy(&out, from, sizeof out);
    else
      for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<S>(from[i]);
  }
};

/// Sums of products in `parts` vectors: members, not an array, which GCC 12 keeps in memory.
template <class S, std::size_t parts>
struct Sums {
  Sums<S, parts / 2> lower, upper;

  template <class A, class B>
  void add(const A* a, const B* b) {
    lower.add(a, b);
    upper.add(a + parts / 2 * Vector<S>::width, b + parts / 2 * Vector<S>::width);
  }
  Sums& operator+=(const Sums& other) {
    lower += other.lower;
    upper += other.upper;
    return *this;
  }
  /// The upper half on the lower one, until one vector is left. It is no result: how a function returns a vector
  /// depends on the processor that it is compiled for.
  void fold(typename Vector<S>::Type& left) {
    lower += upper;
    lower.fold(left);
  }
};
template <class S>
struct Sums<S, 1> {
  typename Vector<S>::Type sum = {};

  template <class A, class B>
  void add(const A* a, const B* b) {
    typename Vector<S>::Type left, right;
    Vector<S>::load(left, a);
    Vector<S>::load(right, b);
    sum += left * right;
  }
  Sums& operator+=(const Sums& other) {
    sum += other.sum;
    return *this;
  }
  void fold(typename Vector<S>::Type& left) const { left = sum; }
};

/// The upper half on the lower one, until one is left.
template <class S, std::size_t lanes>
S sum_of_lanes(const S (&sums)[lanes]) {
  if constexpr (lanes == 1) {
    return sums[0];
  } else {
    S halves[lanes / 2];
    for (std::size_t lane = 0; lane < lanes / 2; ++lane) halves[lane] = sums[lane] + sums[lane + lanes / 2];
    return sum_of_lanes(halves);
  }
}

/// The sum of all lanes, and of what came after them.
template <class S, std::size_t parts>
S sum_of(Sums<S, parts>& sums, S tail) {
  typename Vector<S>::Type folded;
  sums.fold(folded);
  S rest[Vector<S>::width];
  std::memcpy(rest, &folded, sizeof rest);
  return sum_of_lanes(rest) + tail;
}

/// sum_k a[k] b[k] in 16 lanes.
template <class S, class A, class B>
S dot_of(const A* a, const B* b, std::size_t count) {
  constexpr std::size_t lanes = 16;
  Sums<S, lanes / Vector<S>::width> sums;
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) sums.add(a + k, b + k);
  S tail = 0;
  for (; k < count; ++k) tail += a[k] * b[k];
  return sum_of(sums, tail);
}

/// A failure if `row` has fewer than `count` entries.
template <class AnyRow>
void require_length(const AnyRow& row, std::size_t count) {
  if (row.size() < count)
    require_below(static_cast<Index>(row.size()), static_cast<Index>(row.size()), "entry of a row");
}

}  // namespace sdk

/// sum_k a[k] b[k]; b is as long as a.
template <class A, class B>
auto dot(const A& a, const B& b) {
  using S = std::decay_t<decltype(a[0] * b[0])>;
  const std::size_t count = a.size();
  sdk::require_length(b, count);
  if constexpr (std::is_arithmetic_v<S>) {
    return count == 0 ? S(0) : sdk::dot_of<S>(&a[0], &b[0], count);
  } else {  // in the same order, so that what a tape computes has the bits of the numbers
    constexpr std::size_t lanes = 16;
    S sums[lanes] = {}, tail = 0;
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
    for (; k < count; ++k) tail += a[k] * b[k];
    return count < lanes ? tail : sdk::sum_of_lanes(sums) + tail;
  }
}

/// out[k] += factor row[k]
template <class Out, class S, class In>
void add_scaled(Out&& out, const S& factor, const In& row) {
  const std::size_t count = row.size();
  sdk::require_length(out, count);
  if constexpr (std::is_arithmetic_v<S> && requires { out.data(), row.data(); }) {
    auto* const to = out.data();  // looked at once: vector code
    const auto* const from = row.data();
    for (std::size_t k = 0; k < count; ++k) to[k] += factor * from[k];
  } else {
    for (std::size_t k = 0; k < count; ++k) out[k] += factor * row[k];
  }
}

/// What dot(a, b) passes on of the gradient by it.
template <class S, class A, class B, class ByA, class ByB>
void add_dot_gradient(const S& by_dot, const A& a, const B& b, ByA&& by_a, ByB&& by_b) {
  add_scaled(by_a, by_dot, b);
  add_scaled(by_b, by_dot, a);
}

}  // namespace poslab
