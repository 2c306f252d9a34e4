// SPDX-License-Identifier: Apache-2.0
// The sinusoids of a tile's offsets, and what W_r makes of them for every head.
// Dimension letters: P offsets, D model width, H heads, K head width.
#pragma once

#include <vector>

#include <poslab/scheme.hpp>
#include <poslab/sdk/many_rows.hpp>

#include "distinct_offsets.hpp"

namespace poslab {

template <class S>
class Relative {
 public:
  /// `projection` is W_r [H K, D].
  Relative(const DistinctOffsets& offsets, std::span<const double> frequency, const Tensor<const S>& projection,
           Index H)
      : P_(offsets.count()), D_(projection.shape(1)), K_(projection.shape(0) / H) {
    sinusoids_.resize(static_cast<std::size_t>(P_ * D_));
    for (Index p = 0; p < P_; ++p) {
      S* const row = sinusoids_.data() + p * D_;
      for_sines_and_cosines(offsets.distinct(p), frequency, [&](std::size_t m, double sine, double cosine) {
        row[m] = S(sine);
        row[m + frequency.size()] = S(cosine);
      });
    }
    projected_.reserve(static_cast<std::size_t>(H * P_ * K_));
    for (Index h = 0; h < H; ++h)
      for (Index p = 0; p < P_; ++p)
        for_dots(
            sinusoid(p), K_, [&](Index k) { return projection.row(h * K_ + k); },
            [&](Index, const S& product) { projected_.push_back(product); });
  }

  /// Row p of R [P, D].
  Row<const S> sinusoid(Index p) const { return {sinusoids_.data() + p * D_, static_cast<std::size_t>(D_)}; }
  /// Row p of W_r R of head h, [P, K].
  Row<const S> projected_row(Index h, Index p) const {
    return {projected_.data() + (h * P_ + p) * K_, static_cast<std::size_t>(K_)};
  }

 private:
  Index P_, D_, K_;
  std::vector<S> sinusoids_, projected_;
};

}  // namespace poslab
