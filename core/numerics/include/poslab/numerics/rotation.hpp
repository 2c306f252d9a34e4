// SPDX-License-Identifier: Apache-2.0
// Tables that rotate: pairs of columns rotate by one angle from each row to the next, as those of sinusoids and
// rotations do. Then distances depend on the offset of two rows alone. That a table rotates is a claim; looking at
// every row makes a certificate of it, in order N W operations, where a search over all pairs takes N^2 W. Dimension
// letters: N rows, W columns, P planes.
#pragma once

#include <optional>
#include <vector>

#include "poslab/numerics/closest_pair.hpp"

namespace poslab::numerics {

/// What is claimed of rows [N, W]: they are `copies` blocks of W / copies columns; the first 2 P columns of each rotate
/// in P planes, plane m by `angles[m]` radians from one row to the next, and the others stay. Which two columns make a
/// plane (2 m and 2 m + 1, or m and m + P) and in which direction they rotate is found out.
struct RotationClaim {
  std::vector<double> angles;  ///< [P]; empty: nothing is claimed
  Index copies = 1;
  double first_position = 0;  ///< of row 0, in rows: how large angles are, which are rounded with the rows
};

/// Every row is row 0, rotated, to within `deviation` (the Euclidean norm of the largest difference).
struct Rotation {
  std::vector<double> distance;  ///< [N], by offset: of two rows that rotate without rounding
  double deviation = 0;
  bool in_halves = false;  ///< columns m and m + P make a plane, not 2 m and 2 m + 1
  double direction = 1;    ///< 1: (1, 0) rotates towards (0, 1); -1: the other way
};

/// The certificate: empty if some number of some row is further from that of row 0, rotated, than roundings explain (8
/// of the number, 4 of its angle). Then |row(p) - row(q)| is within 2 deviation of distance[|p - q|] for all p and q.
template <class S>
std::optional<Rotation> certify(View<const S> rows, const RotationClaim& claim);

/// The same numbers, bit for bit, as nearest_neighbours(rows, radius): where the claim holds, from those offsets that
/// may be the nearest of some row or within the radius, every one of them measured at every row. Elsewhere, and where
/// more than `max_offsets` remain, from all pairs.
template <class S>
Neighbours nearest_neighbours(View<const S> rows, const Radius& radius, const RotationClaim& claim);
inline constexpr Index max_offsets = 64;

/// The part of it that is of order N: empty where more than `max_offsets` remain.
template <class S>
std::optional<Neighbours> neighbours_by_offset(View<const S> rows, const Radius& radius, const Rotation& rotation);

}  // namespace poslab::numerics
