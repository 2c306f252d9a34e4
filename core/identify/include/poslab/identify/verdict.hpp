// SPDX-License-Identifier: Apache-2.0
// What a dump says: facts, of which `app` makes sentences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/data/value.hpp"

namespace poslab::identify {

using base::Index;

/// Where a number of a dump lies; -1 where it has no such coordinate.
struct Place {
  Index position = -1;  ///< index of the token (the query's)
  Index head = -1, channel = -1, plane = -1, key = -1, batch = -1;
  std::string array;  ///< "cos" of "cos, sin"; empty where there is one only
};

/// How numbers were computed, as far as emulating it tells.
struct Precision {
  enum class Angles {
    float64,  ///< angles and results
    rounded,  ///< angles in float64, results stored in fewer bits
    float32,
    frequencies,  ///< inverse frequencies rounded to `format`, the rest in float32
    positions,
    angles,
    tables,  ///< cosines and sines rounded, then used
    all,     ///< each of these
    slopes   ///< of a bias that falls in proportion to the distance
  } angles = Angles::float64;
  const char* format = "";  ///< "bfloat16", "float16" of the rounded stage
  const char* stored = "";  ///< the narrowest format that holds all numbers of the dump
  /// Whether a stage was in 16 bits.
  bool is_emulated() const { return *format != '\0'; }
};

/// Parameters that differ from the scheme's defaults.
struct Named {
  std::string scheme;
  data::Values parameters;
  bool operator==(const Named&) const = default;
  std::string text() const;  ///< `rope(base=500000, scaling=llama3)`
};

/// How well a variant fits at all numbers.
struct Fit {
  Named named;
  bool inside = false;  ///< of the error of `precision`, at every number
  Precision precision;
  double largest_difference = 0, allowed = 0;  ///< there
  Place place;                                 ///< of the largest difference, measured by what is allowed
  std::optional<Place> departs;                ///< the first number that is outside
};

/// How code gets a scheme wrong, and which number goes with it.
struct Slip {
  enum class Kind {
    off_by_one,  ///< positions are higher by `amount`
    restarts,    ///< positions start over every `amount` tokens
    cut,         ///< positions stay at `amount` from there on
    joined,      ///< tokens from `amount` on are not rotated, or coded as position 0
    twice,       ///< applied `amount` times
    not_at_all,
    sign,          ///< rotated the other way, or a bias with the other sign
    scale,         ///< multiplied by `amount`
    magnitude,     ///< the attention factor to the power `amount`: 0 dropped, 2 applied twice, 0.5 its root
    wrong_width,   ///< the exponent over `amount` times the rotary width
    plain_slopes,  ///< 2^(-8 h / H) where the heads are no power of two
    axes_exchanged,
    transposed,
    sides_exchanged,   ///< queries as keys
    layout_exchanged,  ///< cosines laid out for one pairing, channels paired by the other
    mask_missing,
    bucket_edge,      ///< `amount` offsets lie in the bucket beside theirs
    heads_exchanged,  ///< heads are in another order
    constant,         ///< each row of a bias is off by a constant
    nearly            ///< the base is nearly `amount`
  } kind;
  double amount = 0;
  std::string array = {};  ///< of several that alone which has it; else all have
};

/// What a dump does not show.
struct Silence {
  enum class Kind {
    pairing,    ///< cosines and sines do not say which channels are paired
    parameter,  ///< the value of `parameter` changes no number of this dump
    one_head,
    square_grid,
    magnitude,   ///< frequencies do not show by how much q and k stretch
    free_table,  ///< any table would fit: learned by name only
    keys_ahead,  ///< keys after the query are not what `named` makes of them: they were taken for masked
    layout,      ///< whether heads come before positions: `heads` of `positions` were read
    one_place,   ///< all tokens are at a position at which schemes are alike
    masked       ///< `numbers` were taken for a mask
  } kind;
  std::string parameter = {};
  Index heads = 0, positions = 0, numbers = 0;
};

/// How what was expected compares.
struct Expected : Fit {
  std::string refusal = {};        ///< why nothing was compared
  std::optional<Slip> slip = {};   ///< it fits where logits have another scale than its own, or no mask
  bool by_other_layout = false;    ///< read with positions before heads, where the dump does not say so
  bool by_any_numbers = false;     ///< its weights are free, and any number for each offset fits
  bool by_keys_before = false;     ///< keys after the query are no mask, and it makes something else of them
  bool is_one_of_several = false;  ///< it holds, and what makes other numbers fits, too: the dump does not tell
  /// It fits at every number, computed in no less than float32, without what comes before.
  bool holds() const;
};

struct Verdict {
  enum class Kind {
    certain,     ///< one variant fits at every number
    several,     ///< `named` is the simplest; `others` fit as well, or keys after the query do not
    structure,   ///< the scheme's weights are free; what is fixed (buckets, indices) fits
    offsets,     ///< no formula found: a number for each offset and head, which many schemes learn
    free_table,  ///< no formula found, and any table is a learned one: by its name only
    nothing
  } kind = Kind::nothing;
  std::vector<std::string> arrays;  ///< what was read as what
  std::string layout;
  std::optional<bool> causal;  ///< of outputs: whether keys after the query were masked
  std::optional<Fit> named;    ///< the best, inside unless `kind` is nothing: then the nearest
  std::optional<Fit> nearest;  ///< of a bias whose weights are free: the formula that is
  std::vector<Fit> others;     ///< inside as well, and not told apart; or the next best
  std::vector<Named> equals;   ///< other schemes that are the same to every bit for these positions
  std::optional<Slip> slip;    ///< that explains the difference to `slipped`
  std::optional<Fit> slipped;  ///< what it would be without the slip
  std::vector<Silence> silences;
  std::size_t candidates = 0;        ///< variants that were compared
  std::optional<Expected> expected;  ///< where something was

  bool is_silent_of(Silence::Kind kind) const;
  /// Something was named; or, where something was expected, that holds.
  bool succeeds() const;
};

}  // namespace poslab::identify
