// SPDX-License-Identifier: Apache-2.0
// The small things that an author's members are given: the model, the context, positions.
#pragma once

#include <cstdint>

#include "poslab/plugin.h"
#include "poslab/sdk/bounds.hpp"

namespace poslab {

using Index = std::int64_t;

/// What the scheme is attached to.
struct Model {
  int D;  ///< model width
  int H;  ///< heads
  int K;  ///< head width, D / H
  Index train_length;
};

/// What every call may depend on, beside positions.
struct Context {
  Index length;  ///< positions in the whole sequence
  Index train_length;
  bool causal;  ///< the mask, applied later, hides keys to the right
  Index layer;  ///< which layer asks, from 0
};

enum class Side : std::int32_t {
  query = POSLAB_QUERY,
  key = POSLAB_KEY,
  value = POSLAB_VALUE,   ///< values, before they are mixed
  output = POSLAB_OUTPUT  ///< mixed values, at the queries' positions
};

/// Which two channels are rotated together: 2m and 2m + 1, or m and m + half of the rotary width.
enum class Pairing : int { interleaved = 0, half_split = 1 };
/// Their names, for a `choice`.
inline constexpr const char* pairings[] = {"interleaved", "half-split"};

/// Where in a head the channels lie that are rotated, if these are not all.
enum class RotaryPart : int { first = 0, last = 1 };
/// Their names, for a `choice`.
inline constexpr const char* rotary_parts[] = {"first", "last"};

namespace sdk {
inline constexpr int most_axes = 8;  ///< of a position
}

/// One position, or one difference of positions. With one axis it is a double; with more, `point[axis]`.
class Point {
 public:
  constexpr Point(const double* numbers, int axes) : numbers_(numbers), axes_(axes) {}
  constexpr operator double() const {
    sdk::require_one_axis(axes_);
    return numbers_[0];
  }
  constexpr double operator[](int axis) const {
    sdk::require_below(axis, axes_, "axis of a position");
    return numbers_[axis];
  }
  constexpr int axes() const { return axes_; }

 private:
  const double* numbers_;
  int axes_;
};

/// Positions of a tile, [N, A].
class Points {
 public:
  constexpr Points() = default;
  constexpr Points(const double* numbers, Index count, int axes) : numbers_(numbers), count_(count), axes_(axes) {}
  constexpr Point operator[](Index i) const {
    sdk::require_below(i, count_, "position");
    return {numbers_ + i * axes_, axes_};
  }
  constexpr Index size() const { return count_; }
  constexpr int axes() const { return axes_; }
  constexpr Points part(Index first, Index count) const { return {numbers_ + first * axes_, count, axes_}; }

 private:
  const double* numbers_ = nullptr;
  Index count_ = 0;
  int axes_ = 1;
};

}  // namespace poslab
