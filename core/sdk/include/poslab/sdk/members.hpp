// SPDX-License-Identifier: Apache-2.0
// The members that an author may write, by name.
#pragma once

#include <utility>

// `members::x::named_in<Scheme>`: Scheme has a member x, whatever its signature (a name found in Scheme and in a second
// base is ambiguous). `takes<Scheme, A...>`: x may be called with arguments of these types.
// `call(scheme, a...)`: calls it.
#define POSLAB_SDK_MEMBER(name)                                                                   \
  namespace poslab::sdk::members {                                                                \
  struct name {                                                                                   \
    struct Same {                                                                                 \
      int name;                                                                                   \
    };                                                                                            \
    template <class T>                                                                            \
    struct Either : T, Same {};                                                                   \
    template <class T>                                                                            \
    static constexpr bool named_in = !requires {                                                  \
      &Either<T>::name;                                                                           \
    };                                                                                            \
    template <class T, class... A>                                                                \
    static constexpr bool takes = requires {                                                      \
      std::declval<const T&>().name(std::declval<A>()...);                                        \
    };                                                                                            \
    template <class T, class... A>                                                                \
    static auto call(const T& scheme, A&&... a) -> decltype(scheme.name(std::forward<A>(a)...)) { \
      return scheme.name(std::forward<A>(a)...);                                                  \
    }                                                                                             \
  };                                                                                              \
  }

POSLAB_SDK_MEMBER(card)
POSLAB_SDK_MEMBER(params)
POSLAB_SDK_MEMBER(traits)
POSLAB_SDK_MEMBER(prepare)
POSLAB_SDK_MEMBER(weights)
POSLAB_SDK_MEMBER(offers)
POSLAB_SDK_MEMBER(encode)
POSLAB_SDK_MEMBER(rotate)
POSLAB_SDK_MEMBER(transform)
POSLAB_SDK_MEMBER(bias)
POSLAB_SDK_MEMBER(score)
POSLAB_SDK_MEMBER(mix)
POSLAB_SDK_MEMBER(encode_gradient)
POSLAB_SDK_MEMBER(rotate_gradient)
POSLAB_SDK_MEMBER(transform_gradient)
POSLAB_SDK_MEMBER(bias_gradient)
POSLAB_SDK_MEMBER(score_gradient)
POSLAB_SDK_MEMBER(mix_gradient)
#undef POSLAB_SDK_MEMBER
