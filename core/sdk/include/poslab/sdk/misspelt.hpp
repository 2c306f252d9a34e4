// SPDX-License-Identifier: Apache-2.0
// A member function that nothing reads is most often one whose name was misspelt. It is found by its name, in a list of
// likely slips; only where the scheme lacks the right name, so that helpers of another name are left alone.
#pragma once

#include <tuple>
#include <type_traits>

#include "poslab/sdk/members.hpp"
#include "poslab/sdk/misspelt_names.hpp"
#include "poslab/sdk/model.hpp"

// What belongs in `traits` and in the card.
#define POSLAB_SDK_PROPERTIES(X) \
  X(claims)                      \
  X(mask)                        \
  X(min_position)                \
  X(max_position)                \
  X(axes)                        \
  X(unique_up_to)                \
  X(logit_scale)                 \
  X(score_writes_logits)         \
  X(pairing) X(rotary_width) X(rotary_part) X(sides) X(inverse_frequency) X(embedding_scale) X(initial_query_scale)
#define POSLAB_SDK_OF_CARD(X) X(least_axes) X(most_axes) X(real_positions)

namespace poslab::sdk {

#define POSLAB_SDK_DECLARE(right, slip) int slip;
/// One member of every such name: what a scheme has too is ambiguous in a class derived from both.
struct Slips {
  POSLAB_SDK_MISSPELT(POSLAB_SDK_DECLARE)
  POSLAB_SDK_MISSPELT_PROPERTIES(POSLAB_SDK_DECLARE)
};
#undef POSLAB_SDK_DECLARE
template <class T>
struct WithSlips : T, Slips {};

#define POSLAB_SDK_NOT_NAMED(right, slip) &WithSlips<T>::slip;
/// T has no member of any such name. True for nearly every scheme, and all that it costs its compilation.
template <class T>
concept free_of_slips = requires {
  POSLAB_SDK_MISSPELT(POSLAB_SDK_NOT_NAMED)
  POSLAB_SDK_MISSPELT_PROPERTIES(POSLAB_SDK_NOT_NAMED)
};
#undef POSLAB_SDK_NOT_NAMED

/// What &T::member points to.
template <class Pointer>
inline constexpr bool to_function =
    std::is_member_function_pointer_v<Pointer> || std::is_function_v<std::remove_pointer_t<Pointer>>;
template <class Pointer>
inline constexpr bool to_constant = std::is_pointer_v<Pointer> && !to_function<Pointer>;
template <class Value>
inline constexpr bool is_tuple = false;
template <class... V>
inline constexpr bool is_tuple<const std::tuple<V...>> = true;

// Data, nested types and enumerators are no slips: parameters and helpers may have these names. A tuple is one of
// params.
#define POSLAB_SDK_IS_SLIP(slip)                                                               \
  (                                                                                            \
      !requires { &WithSlips<T>::slip; } && !requires { typename T::slip; } &&                 \
      !(                                                                                       \
          requires { T::slip; } && !requires { &T::slip; }) &&                                 \
      (                                                                                        \
          !requires { &T::slip; } || requires { requires to_function<decltype(&T::slip)>; } || \
          requires { requires is_tuple<decltype(T::slip)>; }))

/// One assertion for every slip.
template <class T>
struct Spelling {
#define POSLAB_SDK_ASSERT(right, slip)                                                     \
  static_assert(members::right::named_in<T> || !POSLAB_SDK_IS_SLIP(slip),                  \
                "poslab reads no member \"" #slip "\" of a scheme: did you mean \"" #right \
                "\"? A helper needs another name.");
  POSLAB_SDK_MISSPELT(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
#define POSLAB_SDK_ASSERT(property, slip)                                                     \
  static_assert(!POSLAB_SDK_IS_SLIP(slip),                                                    \
                "poslab reads no member \"" #slip "\" of a scheme: did you mean \"" #property \
                "\"? It belongs in traits, Traits()." #property "(...). A helper needs another name.");
  POSLAB_SDK_MISSPELT_PROPERTIES(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
};
#undef POSLAB_SDK_IS_SLIP

/// The same for names that are right, but elsewhere: functions, and constants that the right place does not repeat.
/// Where traits is a function it may call a helper of such a name.
template <class T>
struct Places {
  static constexpr bool constant_traits = requires { T::traits.properties(); };

// As somebody would write it who takes it for a member that is read.
#define POSLAB_SDK_IS_FUNCTION(name) \
  (                                  \
      requires(const T& scheme) { scheme.name(); } || requires(const T& scheme, const Model& m) { scheme.name(m); })
#define POSLAB_SDK_IS_CONSTANT(name, place)                       \
  requires {                                                      \
    requires to_constant<decltype(&T::name)>;                     \
    requires !std::bool_constant<(place.name == T::name)>::value; \
  }
#define POSLAB_SDK_ASSERT(property)                                                                                  \
  static_assert(!constant_traits ||                                                                                  \
                    !(POSLAB_SDK_IS_FUNCTION(property) || POSLAB_SDK_IS_CONSTANT(property, T::traits.properties())), \
                "poslab reads no member \"" #property "\" of a scheme: it belongs in traits, Traits()." #property    \
                "(...). A helper needs another name.");
  POSLAB_SDK_PROPERTIES(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
#define POSLAB_SDK_ASSERT(name)                                                           \
  static_assert(!(POSLAB_SDK_IS_FUNCTION(name) || POSLAB_SDK_IS_CONSTANT(name, T::card)), \
                "poslab reads no member \"" #name "\" of a scheme: it belongs in the card, ." #name " = ...");
  POSLAB_SDK_OF_CARD(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
#undef POSLAB_SDK_IS_CONSTANT
#undef POSLAB_SDK_IS_FUNCTION
};

/// Never true: what is misspelt is an error.
template <class T>
constexpr bool misspells() {
  bool wrong = sizeof(Places<T>) == 0;
  if constexpr (!free_of_slips<T>) wrong = wrong || sizeof(Spelling<T>) == 0;
  return wrong;
}

}  // namespace poslab::sdk
