// SPDX-License-Identifier: Apache-2.0
// A member function that nothing reads is most often one whose name was misspelt. It is found by its name, in a list of
// likely slips; only where the scheme lacks the right name, so that helpers of another name are left alone.
#pragma once

#include <type_traits>

#include "poslab/sdk/members.hpp"
#include "poslab/sdk/misspelt_names.hpp"

// Properties that belong into `traits` (`pairing` beside these), and what belongs into the card.
#define POSLAB_SDK_PROPERTIES(X) \
  X(claims)                      \
  X(mask)                        \
  X(min_position)                \
  X(max_position) X(axes) X(unique_up_to) X(logit_scale) X(score_writes_logits) X(rotary_width) X(inverse_frequency)
#define POSLAB_SDK_OF_CARD(X) X(least_axes) X(most_axes) X(real_positions) X(family) X(used_in)

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

/// One assertion for every slip. A data member of such a name, a parameter say, is no slip.
template <class T>
struct Spelling {
#define POSLAB_SDK_ASSERT(right, slip)                                                \
  static_assert(                                                                      \
      members::right::named_in<T> || requires { &WithSlips<T>::slip; } ||             \
          requires { requires std::is_member_object_pointer_v<decltype(&T::slip)>; }, \
      "poslab reads no member \"" #slip "\" of a scheme: did you mean \"" #right      \
      "\"? "                                                                          \
      "A helper needs another name.");
  POSLAB_SDK_MISSPELT(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
#define POSLAB_SDK_ASSERT(property, slip)                                                                              \
  static_assert(                                                                                                       \
      requires { &WithSlips<T>::slip; } || requires { requires std::is_member_object_pointer_v<decltype(&T::slip)>; }, \
      "poslab reads no member \"" #slip "\" of a scheme: did you mean \"" #property                                    \
      "\"? It belongs into traits, Traits()." #property "(...). A helper needs another name.");
  POSLAB_SDK_MISSPELT_PROPERTIES(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
};

/// The same for names that are right, but elsewhere. Parameters may have them, and what is private.
template <class T>
struct Places {
#define POSLAB_SDK_PLACED(name) \
  (                             \
      !requires { &T::name; } || requires { requires std::is_member_object_pointer_v<decltype(&T::name)>; })
#define POSLAB_SDK_ASSERT(property)                                                     \
  static_assert(POSLAB_SDK_PLACED(property), "poslab reads no member \"" #property      \
                                             "\" of a scheme: it belongs into traits, " \
                                             "Traits()." #property "(...)");
  POSLAB_SDK_PROPERTIES(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
#define POSLAB_SDK_ASSERT(name)          \
  static_assert(POSLAB_SDK_PLACED(name), \
                "poslab reads no member \"" #name "\" of a scheme: it belongs into the card, ." #name " = ...");
  POSLAB_SDK_OF_CARD(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
  // Where traits is a function it may call a helper of this name.
  static_assert(
      POSLAB_SDK_PLACED(pairing) || !requires { T::traits.properties(); },
      "poslab reads no member \"pairing\" of a scheme: it belongs into traits, Traits().pairing(...)");
#undef POSLAB_SDK_PLACED
};

/// Never true: what is misspelt is an error.
template <class T>
constexpr bool misspells() {
  bool wrong = sizeof(Places<T>) == 0;
  if constexpr (!free_of_slips<T>) wrong = wrong || sizeof(Spelling<T>) == 0;
  return wrong;
}

}  // namespace poslab::sdk
