// SPDX-License-Identifier: Apache-2.0
// What else a scheme says about a variant of it: properties by name, those that differ from the usual.
//   static constexpr Traits traits = Traits().claims(isometry | relative).mask(Mask::causal_only);
// or, where something depends on parameters or the model: Traits traits() const, Traits traits(const Model&) const.
// Functions, not members of an aggregate: of a misspelt one, compilers say which was meant.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "poslab/sdk/card.hpp"
#include "poslab/sdk/model.hpp"

namespace poslab {

namespace sdk {

/// The values behind Traits.
struct Properties {
  Claims claims = no_claims;
  Mask mask = Mask::any;
  double min_position = -std::numeric_limits<double>::infinity();
  double max_position = std::numeric_limits<double>::infinity();
  std::optional<int> least_axes, most_axes;
  double unique_up_to = 0;
  double logit_scale = 0;
  bool score_writes_logits = false;
  Pairing pairing = Pairing::interleaved;
  std::optional<Index> rotary_width;
  RotaryPart rotary_part = RotaryPart::first;
  std::uint32_t sides = 0;
  std::vector<double> inverse_frequency;
  double embedding_scale = 0;
  double initial_query_scale = 0;
};

}  // namespace sdk

class Traits {
  // First: Clang needs its body where constants are made of the functions below.
  template <class Value, class Given>
  constexpr Traits with(Value sdk::Properties::*member, Given&& value) const {
    Traits result = *this;
    result.properties_.*member = std::forward<Given>(value);
    return result;
  }

 public:
  /// What `poslab check` tries to refute.
  constexpr Traits claims(Claims value) const { return with(&sdk::Properties::claims, value); }
  /// Under which attention mask the variant means something.
  constexpr Traits mask(Mask value) const { return with(&sdk::Properties::mask, value); }
  /// Positions below are refused.
  constexpr Traits min_position(double value) const { return with(&sdk::Properties::min_position, value); }
  /// Positions beyond are refused.
  constexpr Traits max_position(double value) const { return with(&sdk::Properties::max_position, value); }
  /// How many numbers a position has, within the bounds of the card.
  constexpr Traits axes(int least, int most) const {
    return with(&sdk::Properties::least_axes, least).with(&sdk::Properties::most_axes, most);
  }
  constexpr Traits axes(int count) const { return axes(count, count); }
  /// Whole positions below this have different codes, for `encode`. 0: nothing is said.
  constexpr Traits unique_up_to(double value) const { return with(&sdk::Properties::unique_up_to, value); }
  /// The factor on q.k. 0: the usual 1 / sqrt(K).
  constexpr Traits logit_scale(double value) const { return with(&sdk::Properties::logit_scale, value); }
  /// `score` replaces the logits; else it adds to them.
  constexpr Traits score_writes_logits(bool value = true) const {
    return with(&sdk::Properties::score_writes_logits, value);
  }
  /// Which channels `rotate` pairs.
  constexpr Traits pairing(Pairing value) const { return with(&sdk::Properties::pairing, value); }
  /// What `rotate` or `transform` changes. Unsaid: queries and keys. `rotate` turns outputs back: by the opposite
  /// angle.
  template <class... Sides>
  constexpr Traits sides(Sides... each) const {
    return with(&sdk::Properties::sides, ((1U << static_cast<unsigned>(static_cast<Side>(each))) | ...));
  }
  /// How many channels of a head `rotate` rotates. Unset: all.
  constexpr Traits rotary_width(std::optional<Index> value) const {
    return with(&sdk::Properties::rotary_width, value);
  }
  /// Which channels of a head these are: the first or the last.
  constexpr Traits rotary_part(RotaryPart value) const { return with(&sdk::Properties::rotary_part, value); }
  /// Radians per position of each plane, for experiments about frequencies.
  constexpr Traits inverse_frequency(std::vector<double> value) const {
    return with(&sdk::Properties::inverse_frequency, std::move(value));
  }
  /// What a network that is trained multiplies its embeddings by, before codes are added; they are drawn with 1 over it
  /// as standard deviation, so that they are of size 1. Unset: no factor, and the network's own deviation.
  constexpr Traits embedding_scale(double value) const { return with(&sdk::Properties::embedding_scale, value); }
  /// Factor on the standard deviation of the matrix that makes queries, when training begins. Unset: 1.
  constexpr Traits initial_query_scale(double value) const {
    return with(&sdk::Properties::initial_query_scale, value);
  }

  constexpr const sdk::Properties& properties() const { return properties_; }

 private:
  sdk::Properties properties_;
};

}  // namespace poslab
