// SPDX-License-Identifier: Apache-2.0
// Which of an operation's arguments an author's member takes, and whether it takes each as what it is: the ones that it
// does not need may be left out, but an int is no double, and a row to read is no row to write.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tensor.hpp"

namespace poslab::sdk {

/// Bit i set: argument i. Of `Optional` ones: it may be left out.
using Arguments = unsigned;
using Optional = unsigned;

template <std::size_t i, class First, class... Rest>
struct Nth : Nth<i - 1, Rest...> {};
template <class First, class... Rest>
struct Nth<0, First, Rest...> {
  using type = First;
};

/// The i-th of some arguments.
template <std::size_t i, class First, class... Rest>
constexpr decltype(auto) nth(First&& first, Rest&&... rest) {
  if constexpr (i == 0)
    return std::forward<First>(first);
  else
    return nth<i - 1>(std::forward<Rest>(rest)...);
}

constexpr std::size_t count_of(Arguments taken) {
  std::size_t count = 0;
  for (; taken != 0; taken &= taken - 1U) ++count;
  return count;
}
template <Arguments taken>
inline constexpr auto indices_of = [] {
  std::array<std::size_t, count_of(taken)> indices{};
  for (std::size_t i = 0, n = 0; n < indices.size(); ++i)
    if (taken >> i & 1U) indices[n++] = i;
  return indices;
}();

/// Converts to everything but what the argument is. A parameter that takes this too is of another type.
template <class... Right>
struct ConvertibleToAllBut {
  template <class Other>
  requires(!std::is_same_v<std::remove_cv_t<Other>, Right> && ...) operator Other() const;
};
/// Converts to nothing: only `auto` takes it.
struct Nothing {};

/// The types that a parameter for an `A` may have, beside references to them.
template <class A>
struct WrongArgument {
  using type = ConvertibleToAllBut<A>;
};
template <>
struct WrongArgument<Point> {
  using type = ConvertibleToAllBut<Point, double>;
};
template <>
struct WrongArgument<float> {  // a number whose scalar the author need not follow
  using type = ConvertibleToAllBut<float, double>;
};

/// What a member may return.
template <class... R>
struct Returning {
  template <class Result>
  static constexpr bool allows = (std::is_same_v<Result, R> || ...);
};

/// T's `Member` (see members.hpp) with the arguments `taken` of `A`.
template <class Member, class Returned, class T, Arguments taken, class... A>
struct Selected {
  static constexpr auto& at = indices_of<taken>;
  using Order = std::make_index_sequence<at.size()>;

  template <std::size_t... k>
  static constexpr bool takes(std::index_sequence<k...>) {
    return Member::template takes<T, typename Nth<at[k], A...>::type...>;
  }
  template <class Substitute, std::size_t argument, std::size_t... k>
  static constexpr bool takes_at(std::index_sequence<k...>) {
    return Member::template takes<T, std::conditional_t<k == argument, Substitute, typename Nth<at[k], A...>::type>...>;
  }
  template <std::size_t argument>
  static constexpr bool is_exact() {
    using Given = std::remove_cvref_t<typename Nth<at[argument], A...>::type>;
    if constexpr (takes_at<typename WrongArgument<Given>::type, argument>(Order()))
      return takes_at<Nothing, argument>(Order());
    else
      return true;
  }
  template <std::size_t... k>
  static constexpr bool all_exact(std::index_sequence<k...>) {
    return (is_exact<k>() && ...);
  }
  template <std::size_t... k>
  static constexpr bool returns_right(std::index_sequence<k...>) {
    return Returned::template allows<decltype(Member::call(std::declval<const T&>(),
                                                           std::declval<typename Nth<at[k], A...>::type>()...))>;
  }
  static constexpr bool fits() {
    if constexpr (takes(Order()))
      return all_exact(Order()) && returns_right(Order());
    else
      return false;
  }
};

template <Arguments candidate, Optional optional, class Member, class Returned, class T, class... A>
consteval Arguments find_taken() {
  constexpr Arguments needed = ((1U << sizeof...(A)) - 1U) & ~optional;
  if constexpr (Selected<Member, Returned, T, candidate | needed, A...>::fits())
    return candidate | needed;
  else if constexpr (candidate == 0)
    return 0;
  else
    return find_taken<(candidate - 1U) & optional, optional, Member, Returned, T, A...>();
}

/// Which of the arguments `A` T's member takes, those beyond `optional` all; 0 if no choice fits.
template <Optional optional, class Member, class Returned, class T, class... A>
inline constexpr Arguments taken = find_taken<optional, optional, Member, Returned, T, A...>();

/// Calls T's member with those of the arguments that it takes.
template <class Member, Arguments taken, class T, class... A>
decltype(auto) call_with(const T& scheme, A&&... arguments) {
  static_assert(taken != 0);
  return [&]<std::size_t... k>(std::index_sequence<k...>)->decltype(auto) {
    return Member::call(scheme, nth<indices_of<taken>[k]>(std::forward<A>(arguments)...)...);
  }
  (std::make_index_sequence<indices_of<taken>.size()>());
}

}  // namespace poslab::sdk
