// SPDX-License-Identifier: Apache-2.0
// Calling an author's member with those arguments that it takes: the ones that it does not need may be left out.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace poslab::sdk {

/// Bit i set: argument i may be left out.
using Optional = unsigned;

template <unsigned kept>
consteval auto kept_indices() {
  std::array<std::size_t, std::size_t{std::popcount(kept)}> indices{};
  for (std::size_t i = 0, n = 0; n < indices.size(); ++i)
    if (kept >> i & 1U) indices[n++] = i;
  return indices;
}

template <unsigned kept, class F, class Arguments>
consteval bool takes() {
  return []<std::size_t... k>(std::index_sequence<k...>) {
    return std::is_invocable_v<F, std::tuple_element_t<kept_indices<kept>()[k], Arguments>...>;
  }
  (std::make_index_sequence<kept_indices<kept>().size()>{});
}

template <unsigned candidate, Optional optional, class F, class Arguments>
consteval unsigned find_taken() {
  constexpr unsigned all = (1U << std::tuple_size_v<Arguments>)-1U;
  if constexpr ((candidate | optional) == all) {
    if constexpr (takes<candidate, F, Arguments>()) return candidate;
  }
  if constexpr (candidate == 0) {
    return 0;
  } else {
    return find_taken<candidate - 1U, optional, F, Arguments>();
  }
}

/// Which of the arguments `F` takes, those beyond `optional` all; 0 if no choice fits.
template <Optional optional, class F, class... Arguments>
inline constexpr unsigned taken =
    find_taken<(1U << sizeof...(Arguments)) - 1U, optional, F, std::tuple<Arguments...>>();

/// Calls `f` with those arguments that it takes.
template <Optional optional, class F, class... Arguments>
decltype(auto) call_with_taken(F&& f, Arguments&&... arguments) {
  constexpr unsigned kept = taken<optional, F, Arguments...>;
  static_assert(kept != 0);
  std::tuple<Arguments&&...> all(std::forward<Arguments>(arguments)...);
  return [&]<std::size_t... k>(std::index_sequence<k...>)->decltype(auto) {
    return f(std::get<kept_indices<kept>()[k]>(static_cast<std::tuple<Arguments&&...>&&>(all))...);
  }
  (std::make_index_sequence<kept_indices<kept>().size()>{});
}

}  // namespace poslab::sdk

// For each member function that an author may write: `calls_x(scheme)` is a function object that calls scheme.x, and
// `names_x<Scheme>` says whether Scheme has a member of that name, whatever its signature (a name found in Scheme and
// in a second base is ambiguous).
#define POSLAB_SDK_MEMBER(name)                                                                         \
  namespace poslab::sdk {                                                                               \
  template <class T>                                                                                    \
  struct Calls_##name {                                                                                 \
    const T* scheme;                                                                                    \
    template <class... A, class U = T>                                                                  \
    auto operator()(A&&... a) const -> decltype(std::declval<const U&>().name(std::forward<A>(a)...)) { \
      return scheme->name(std::forward<A>(a)...);                                                       \
    }                                                                                                   \
  };                                                                                                    \
  template <class T>                                                                                    \
  Calls_##name<T> calls_##name(const T& scheme) {                                                       \
    return {&scheme};                                                                                   \
  }                                                                                                     \
  struct Has_##name {                                                                                   \
    int name;                                                                                           \
  };                                                                                                    \
  template <class T>                                                                                    \
  struct Either_##name : T, Has_##name {};                                                              \
  template <class T>                                                                                    \
  inline constexpr bool names_##name = !requires {                                                      \
    &Either_##name<T>::name;                                                                            \
  };                                                                                                    \
  }

POSLAB_SDK_MEMBER(encode)
POSLAB_SDK_MEMBER(turn)
POSLAB_SDK_MEMBER(transform)
POSLAB_SDK_MEMBER(bias)
POSLAB_SDK_MEMBER(score)
POSLAB_SDK_MEMBER(mix)
POSLAB_SDK_MEMBER(encode_gradient)
POSLAB_SDK_MEMBER(transform_gradient)
POSLAB_SDK_MEMBER(bias_gradient)
POSLAB_SDK_MEMBER(score_gradient)
POSLAB_SDK_MEMBER(mix_gradient)
#undef POSLAB_SDK_MEMBER
