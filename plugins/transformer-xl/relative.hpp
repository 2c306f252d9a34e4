// SPDX-License-Identifier: Apache-2.0
// The sinusoids of a tile's offsets, and what W_r makes of them for every head.
// Dimension letters: P offsets, D model width, H heads, K head width.
#pragma once

#include <vector>

#include <poslab/scheme.hpp>

#include "distinct_offsets.hpp"
#include "products.hpp"

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
    std::vector<S> weights;  // W_r as plain rows, whatever the scalar
    for (Index c = 0; c < projection.shape(0); ++c)
      for (Index d = 0; d < D_; ++d) weights.push_back(projection(c, d));
    projected_.resize(static_cast<std::size_t>(H * P_ * K_));
    for (Index h = 0; h < H; ++h)
      products<S>(sinusoids(), P_, {weights.data() + h * K_ * D_, D_, D_}, K_, projected_.data() + h * P_ * K_, K_);
  }

  /// R [P, D]
  Rows<S> sinusoids() const { return {sinusoids_.data(), D_, D_}; }
  /// W_r R of head h, [P, K]
  Rows<S> projected(Index h) const { return {projected_.data() + h * P_ * K_, K_, K_}; }
  Row<const S> projected_row(Index h, Index p) const { return {projected(h).row(p), static_cast<std::size_t>(K_)}; }

 private:
  Index P_, D_, K_;
  std::vector<S> sinusoids_, projected_;
};

}  // namespace poslab
