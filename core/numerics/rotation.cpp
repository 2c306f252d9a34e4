// SPDX-License-Identifier: Apache-2.0
// The certificate that a table rotates: every number is compared with that of row 0, rotated.
// Dimension letters: N rows, W columns, P planes, B columns of a copy.
#include "poslab/numerics/rotation.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "poslab/numerics/inner_product.hpp"

namespace poslab::numerics {
using base::at;
namespace {

constexpr double double_roundoff = 0x1p-53;

struct CosineSine {
  double cosine, sine;
};

// steps * angle, the product to twice the digits: far rows rotate many times, and the rest of it counts.
CosineSine rotation_by(double steps, double angle) {
  const double head = steps * angle, tail = std::fma(steps, angle, -head);
  return {std::cos(head) - tail * std::sin(head), std::sin(head) + tail * std::cos(head)};
}

// One way in which the columns may rotate, compared with all rows.
template <class S>
class Candidate {
 public:
  static constexpr Index at_once = 256;  // rows: their rotations from the first of them stay in the second-level cache

  Candidate(View<const S> rows, const RotationClaim& claim, bool in_halves, double direction)
      : rows_(rows),
        claim_(claim),
        direction_(direction),
        P_(static_cast<Index>(claim.angles.size())),
        B_(rows.stride() / claim.copies),
        stride_(in_halves ? 1 : 2),
        second_(in_halves ? P_ : 1),
        weight_(claim.angles.size(), 0.0),
        rotation_{std::min(at_once, rows.shape[0]), 2 * P_} {
    for (Index m = 0; m < P_; ++m)
      for (Index copy = 0; copy < claim.copies; ++copy) {
        const auto x = static_cast<double>(first(copy, m)), y = static_cast<double>(first(copy, m + P_));
        weight_[at(m)] += x * x + y * y;
      }
    for (Index step = 0; step < rotation_.extent(0); ++step) fill_rotations(step, &rotation_(step, 0));
  }

  struct Scratch {
    std::vector<double> base, rotation, limit, deviation;
  };
  Scratch scratch() const {
    const auto planes = static_cast<std::size_t>(2 * P_), width = static_cast<std::size_t>(rows_.stride());
    return {std::vector<double>(planes), std::vector<double>(planes), std::vector<double>(planes / 2),
            std::vector<double>(width, 0.0)};
  }

  // Rows first .. of one block: whether they rotate. Distances from row 0 go to `distance`, the largest squared
  // deviation to `largest`.
  bool fits(Index begin, Index end, Scratch& scratch, double* distance, double& largest) const {
    fill_rotations(begin, scratch.base.data());
    for (Index row = begin; row < end; ++row) {
      double squared = 0;
      const double* base = scratch.base.data();
      const double* step = &rotation_(row - begin, 0);
      double* rotation = scratch.rotation.data();
      const double steps = std::abs(claim_.first_position) + static_cast<double>(row);
      for (Index m = 0; m < P_; ++m) {
        const double c = base[m] * step[m] - base[m + P_] * step[m + P_],
                     s = base[m] * step[m + P_] + base[m + P_] * step[m];
        rotation[m] = c, rotation[m + P_] = s;
        squared += ((c - 1) * (c - 1) + s * s) * weight_[at(m)];
        const double limit = allowed + 4 * double_roundoff * steps * std::abs(angle(m));
        scratch.limit[at(m)] = limit * limit;
      }
      distance[row] = std::sqrt(squared);
      if (!is_rotated(row, scratch)) return false;
      const double deviation = sum_of_squares(scratch.deviation.data(), rows_.stride());
      if (!std::isfinite(deviation)) return false;  // a maximum passes over NaN
      largest = std::max(largest, deviation);
    }
    return true;
  }

 private:
  static constexpr double allowed = 8 * static_cast<double>(std::numeric_limits<S>::epsilon()) / 2;

  double angle(Index m) const { return claim_.angles[at(m)]; }
  // Number `channel` of the 2 P that rotate, those of first columns before those of second ones, in row 0.
  S first(Index copy, Index channel) const {
    const Index column = channel < P_ ? stride_ * channel : stride_ * (channel - P_) + second_;
    return rows_.data[copy * B_ + column];
  }

  void fill_rotations(Index steps, double* rotations) const {
    for (Index m = 0; m < P_; ++m) {
      const CosineSine rotation = rotation_by(static_cast<double>(steps), direction_ * angle(m));
      rotations[m] = rotation.cosine, rotations[m + P_] = rotation.sine;
    }
  }

  bool is_rotated(Index row, Scratch& scratch) const {
    const double* rotation = scratch.rotation.data();
    const double* limit = scratch.limit.data();
    double excess = 0;
    for (Index copy = 0; copy < claim_.copies; ++copy) {
      const S* origin = rows_.data + copy * B_;
      const S* now = rows_.data + row * rows_.stride() + copy * B_;
      double* deviation = scratch.deviation.data() + copy * B_;
      for (Index m = 0; m < P_; ++m) {
        const Index i = stride_ * m, j = i + second_;
        const auto x = static_cast<double>(origin[i]), y = static_cast<double>(origin[j]);
        const double along = static_cast<double>(now[i]) - (x * rotation[m] - y * rotation[m + P_]),
                     across = static_cast<double>(now[j]) - (y * rotation[m] + x * rotation[m + P_]);
        deviation[i] = along, deviation[j] = across;
        excess = std::max(excess, along * along + across * across - (x * x + y * y) * limit[m]);
      }
      for (Index k = 2 * P_; k < B_; ++k) {
        deviation[k] = static_cast<double>(now[k]) - static_cast<double>(origin[k]);
        excess = std::max(excess, std::abs(deviation[k]) - allowed * std::abs(static_cast<double>(origin[k])));
      }
    }
    return excess <= 0;
  }

  View<const S> rows_;
  const RotationClaim& claim_;
  double direction_;
  Index P_, B_, stride_, second_;
  std::vector<double> weight_;    // [P]: squared norms of row 0 in a plane, all copies
  base::Array<double> rotation_;  // [rows of a block, 2 P]: cosines, then sines
};

template <class S>
double norm_of_first(View<const S> rows) {
  return std::sqrt(sum_of_squares(rows.data, rows.stride()));
}

template <class S>
std::optional<Rotation> try_all_rows(View<const S> rows, const RotationClaim& claim, bool in_halves, double direction) {
  const Index N = rows.shape[0], at_once = Candidate<S>::at_once, blocks = (N + at_once - 1) / at_once;
  const Candidate<S> candidate(rows, claim, in_halves, direction);
  Rotation rotation{std::vector<double>(static_cast<std::size_t>(N)), 0, in_halves, direction};
  std::vector<double> largest(static_cast<std::size_t>(blocks), 0.0);
  std::atomic<bool> rotates = true;
  const auto try_block = [&](Index block, typename Candidate<S>::Scratch& scratch) {
    if (!rotates.load(std::memory_order_relaxed)) return;
    if (!candidate.fits(block * at_once, std::min(N, (block + 1) * at_once), scratch, rotation.distance.data(),
                        largest[at(block)]))
      rotates.store(false, std::memory_order_relaxed);
  };
  typename Candidate<S>::Scratch first = candidate.scratch();
  try_block(0, first);  // the other ways to rotate end here
  tbb::parallel_for(tbb::blocked_range<Index>(1, std::max<Index>(1, blocks), 4),
                    [&](const tbb::blocked_range<Index>& range) {
                      typename Candidate<S>::Scratch scratch = candidate.scratch();
                      for (Index block = range.begin(); block < range.end(); ++block) try_block(block, scratch);
                    });
  // What rounds here: each rotation by a few units in the last place.
  rotation.deviation =
      std::sqrt(*std::max_element(largest.begin(), largest.end())) + 16 * double_roundoff * norm_of_first(rows);
  if (!rotates) return {};
  return rotation;
}

}  // namespace

template <class S>
std::optional<Rotation> certify(View<const S> rows, const RotationClaim& claim) {
  const Index N = rows.shape[0], W = rows.stride(), P = static_cast<Index>(claim.angles.size());
  if (N < 2 || P == 0 || claim.copies < 1 || W % claim.copies != 0 || 2 * P > W / claim.copies) return {};
  if (!std::isfinite(norm_of_first(rows))) return {};
  for (const bool in_halves : {false, true})
    for (const double direction : {1.0, -1.0})
      if (std::optional<Rotation> rotation = try_all_rows(rows, claim, in_halves, direction)) return rotation;
  return {};
}

template std::optional<Rotation> certify(View<const double>, const RotationClaim&);
template std::optional<Rotation> certify(View<const float>, const RotationClaim&);

}  // namespace poslab::numerics
