// SPDX-License-Identifier: Apache-2.0
// What is wrong with a member that takes its operation's arguments in none of the ways in which it may (arguments.hpp).
// Nothing here is looked at for a scheme that is right.
#pragma once

#include "poslab/sdk/arguments.hpp"

namespace poslab::sdk {

enum class Mistake { none, exchanged, number, result, not_const, one_scalar, other };

/// The mistake with one choice of the arguments `A`.
template <class Member, class Returned, class T, Arguments taken, class... A>
class MistakeWith {
  using Chosen = Selected<Member, Returned, T, taken, A...>;
  using Order = typename Chosen::Order;
  template <std::size_t i>
  using Given = typename Nth<i, A...>::type;

  static constexpr std::size_t swapped(std::size_t k, std::size_t i, std::size_t j) {
    return k == i ? j : k == j ? i : k;
  }
  template <std::size_t i, std::size_t j, std::size_t... k>
  static constexpr bool fits_swapped(std::index_sequence<k...>) {
    return Selected<Member, Returned, T, taken, Given<swapped(k, i, j)>...>::fits();
  }
  template <std::size_t i, std::size_t j>
  static constexpr bool is_exchanged() {
    if constexpr (i < j && (taken >> i & 1U) != 0 && (taken >> j & 1U) != 0)
      return !std::is_same_v<Given<i>, Given<j>> && fits_swapped<i, j>(std::make_index_sequence<sizeof...(A)>());
    else
      return false;
  }
  template <std::size_t i, std::size_t... j>
  static constexpr bool is_exchanged_with_one(std::index_sequence<j...>) {
    return (is_exchanged<i, j>() || ...);
  }
  template <std::size_t... i>
  static constexpr bool any_exchanged(std::index_sequence<i...> all) {
    return (is_exchanged_with_one<i>(all) || ...);
  }
  template <std::size_t... k>
  static constexpr bool a_point_is_inexact(std::index_sequence<k...>) {
    return ((std::is_same_v<Given<Chosen::at[k]>, Point> && !Chosen::template is_exact<k>()) || ...);
  }

 public:
  static constexpr Mistake find() {
    if constexpr (any_exchanged(std::make_index_sequence<sizeof...(A)>())) {
      return Mistake::exchanged;
    } else if constexpr (Chosen::takes(Order())) {
      if constexpr (a_point_is_inexact(Order())) return Mistake::number;
      return Chosen::all_exact(Order()) ? Mistake::result : Mistake::other;
    } else {
      // A reference to T, made const, is none to a const T.
      return Selected<Member, Returned, T&, taken, A...>::takes(Order()) ? Mistake::not_const : Mistake::other;
    }
  }
};

template <Arguments candidate, Optional optional, class Member, class Returned, class T, class... A>
consteval Mistake find_mistake() {
  constexpr Arguments needed = ((1U << sizeof...(A)) - 1U) & ~optional;
  constexpr Mistake here = MistakeWith<Member, Returned, T, candidate | needed, A...>::find();
  if constexpr (here != Mistake::other || candidate == 0)
    return here;
  else
    return find_mistake<(candidate - 1U) & optional, optional, Member, Returned, T, A...>();
}

/// The same of all choices that `taken` (arguments.hpp) looks at: the first mistake that has a name.
template <Optional optional, class Member, class Returned, class T, class... A>
inline constexpr Mistake mistake = [] {
  if constexpr (taken<optional, Member, Returned, T, A...> != 0)
    return Mistake::none;
  else
    return find_mistake<optional, optional, Member, Returned, T, A...>();
}();

/// The mistake of a member that must take float and double, from what is wrong with it for each.
constexpr Mistake of_both(Mistake with_float, Mistake with_double) {
  if (with_double == Mistake::none) return with_float == Mistake::none ? Mistake::none : Mistake::one_scalar;
  return with_double;
}

}  // namespace poslab::sdk

/// An error for each mistake in the member `name`; `form` is what it should be.
#define POSLAB_SDK_SIGNATURE(name, mistake, form)                                                                     \
  static_assert((mistake) != ::poslab::sdk::Mistake::exchanged, name " has two arguments exchanged; it is: " form);   \
  static_assert((mistake) != ::poslab::sdk::Mistake::number,                                                          \
                name " takes a position or an offset that is a double, or a Point, as another number; it is: " form); \
  static_assert((mistake) != ::poslab::sdk::Mistake::result, name " returns another type; it is: " form);             \
  static_assert((mistake) != ::poslab::sdk::Mistake::not_const,                                                       \
                name " changes no member, and so needs const behind its arguments; it is: " form);                    \
  static_assert((mistake) != ::poslab::sdk::Mistake::one_scalar, name                                                 \
                " is called with float and with double, and so needs template <class S> before it, and S where "      \
                "double stands for numbers of weights, rows or tiles; it is: " form);                                 \
  static_assert((mistake) != ::poslab::sdk::Mistake::other, name " has another signature than: " form)
