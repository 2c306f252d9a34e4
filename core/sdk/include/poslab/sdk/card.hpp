// SPDX-License-Identifier: Apache-2.0
// What a scheme says about itself: its card, its claims, the mask that it is meant for.
#pragma once

#include <cstdint>

#include "poslab/plugin.h"

namespace poslab {

enum class Family : std::int32_t {
  by_operation = -1,  ///< encode: additive; rotate, transform: rotary; bias: bias; score, mix: relative; else none
  none = POSLAB_FAMILY_NONE,
  additive = POSLAB_FAMILY_ADDITIVE,
  rotary = POSLAB_FAMILY_ROTARY,
  bias = POSLAB_FAMILY_BIAS,
  relative = POSLAB_FAMILY_RELATIVE,
  contextual = POSLAB_FAMILY_CONTEXTUAL
};

/// For a card: positions between the integers mean something. Without it they are refused.
inline constexpr bool real_positions = true;

/// `static constexpr Card card{.id = "rope", .title = "Rotary position embedding", .version = "1.0", ...};`
struct Card {
  const char* id;  ///< lower-case-with-hyphens, the name that studies use
  const char* title;
  const char* version;       ///< raise it whenever a number changes
  const char* paper = "";    ///< authors, year, identifier
  const char* summary = "";  ///< one sentence
  const char* formula = "";  ///< one line of plain text
  const char* used_in = "";  ///< known models, comma-separated
  bool real_positions = false;
  Family family = Family::by_operation;
  std::int32_t least_axes = 1;  ///< how many numbers a position has: 1 for text, 2 for image patches
  std::int32_t most_axes = 1;
};

/// Properties that a variant declares and `poslab check` tries to refute: `isometry | relative`.
struct Claims {
  std::uint64_t bits = 0;
  friend constexpr Claims operator|(Claims a, Claims b) { return {a.bits | b.bits}; }
};

inline constexpr Claims no_claims{};
inline constexpr Claims isometry{POSLAB_ISOMETRY};  ///< transform keeps norms and inner products at one position
inline constexpr Claims relative{POSLAB_RELATIVE};  ///< logits depend on positions through query - key only
inline constexpr Claims content_free{POSLAB_CONTENT_FREE};    ///< its part does not depend on x, q or k
inline constexpr Claims length_free{POSLAB_LENGTH_FREE};      ///< nothing depends on length or train_length
inline constexpr Claims bounded{POSLAB_BOUNDED};              ///< no output grows without limit as positions grow
inline constexpr Claims symmetric{POSLAB_SYMMETRIC};          ///< its part is the same for query - key and key - query
inline constexpr Claims constant_norm{POSLAB_CONSTANT_NORM};  ///< encode gives every position the same norm
inline constexpr Claims may_be_infinite{POSLAB_MAY_BE_INFINITE};  ///< outputs may hold -infinity

/// Under which attention mask a variant means something.
enum class Mask : std::int32_t {
  any = POSLAB_ANY_MASK,
  causal_only = POSLAB_CAUSAL_ONLY,
  bidirectional_only = POSLAB_BIDIRECTIONAL_ONLY
};

enum class Operation : int {
  encode = POSLAB_ENCODE,
  transform = POSLAB_TRANSFORM,
  bias = POSLAB_BIAS,
  score = POSLAB_SCORE,
  mix = POSLAB_MIX
};

}  // namespace poslab
