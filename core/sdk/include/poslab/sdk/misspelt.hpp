// SPDX-License-Identifier: Apache-2.0
// A member function that nothing reads is most often one whose name was misspelt. It is found by its name, in a list of
// likely slips; only where the scheme lacks the right name, so that helpers of another name are left alone.
#pragma once

#include <type_traits>

#include "poslab/sdk/members.hpp"
#include "poslab/sdk/misspelt_names.hpp"

// Properties that belong into `traits`.
#define POSLAB_SDK_PROPERTIES(X) \
  X(claims)                      \
  X(mask)                        \
  X(min_position) X(max_position) X(least_axes) X(most_axes) X(unique_up_to) X(logit_scale) X(score_writes_logits)

namespace poslab::sdk {

/// One member of every such name: what a scheme has too is ambiguous in a class derived from both.
struct Slips {
#define POSLAB_SDK_DECLARE(right, slip) int slip;
  POSLAB_SDK_MISSPELT(POSLAB_SDK_DECLARE)
#undef POSLAB_SDK_DECLARE
#define POSLAB_SDK_DECLARE(property) int property;
  POSLAB_SDK_PROPERTIES(POSLAB_SDK_DECLARE)
#undef POSLAB_SDK_DECLARE
};
template <class T>
struct WithSlips : T, Slips {};

#define POSLAB_SDK_NOT_NAMED(right, slip) &WithSlips<T>::slip;
#define POSLAB_SDK_NOT_NAMED_PROPERTY(property) &WithSlips<T>::property;
/// T has no member of any such name. True for nearly every scheme, and all that it costs its compilation.
template <class T>
concept free_of_slips = requires {
  POSLAB_SDK_MISSPELT(POSLAB_SDK_NOT_NAMED)
  POSLAB_SDK_PROPERTIES(POSLAB_SDK_NOT_NAMED_PROPERTY)
};
#undef POSLAB_SDK_NOT_NAMED
#undef POSLAB_SDK_NOT_NAMED_PROPERTY

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
#define POSLAB_SDK_ASSERT(property)                                                       \
  static_assert(                                                                          \
      requires { &WithSlips<T>::property; } ||                                            \
          requires { requires std::is_member_object_pointer_v<decltype(&T::property)>; }, \
      "poslab reads no member \"" #property                                               \
      "\" of a scheme: it belongs into traits, "                                          \
      "Traits()." #property "(...)");
  POSLAB_SDK_PROPERTIES(POSLAB_SDK_ASSERT)
#undef POSLAB_SDK_ASSERT
};

/// Never true: what is misspelt is an error.
template <class T>
constexpr bool misspells() {
  if constexpr (free_of_slips<T>)
    return false;
  else
    return sizeof(Spelling<T>) == 0;
}

}  // namespace poslab::sdk
