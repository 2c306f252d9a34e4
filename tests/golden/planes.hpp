// SPDX-License-Identifier: Apache-2.0
// What a rotary scheme does to planes: its angles, cosines and sines, and by how much it scales.
#pragma once

#include <cmath>
#include <utility>

#include "inputs.hpp"

namespace poslab::golden {

// The first channel of plane `m` of `planes` under a pairing, and the second.
inline std::pair<Index, Index> channels_of(Index m, Index planes, bool interleaved) {
  return interleaved ? std::pair{2 * m, 2 * m + 1} : std::pair{m, m + planes};
}

/// How a case's rotations act.
template <class S>
class Planes {
 public:
  explicit Planes(const Inputs<S>& inputs) : in_(inputs) {}

  Numbers angles() const {
    const auto planes = static_cast<Index>(in_.facts().number(in_.spec().at("planes")));
    Array<double> one({1, 1});
    one(0, 0) = 1;
    const bool pairing = interleaved();
    const Array<S> rotated = rotated_planes(one, planes, pairing);
    Numbers out{{planes}, {}};
    for (Index m = 0; m < planes; ++m) {
      const auto [first, second] = channels_of(m, planes, pairing);
      out.numbers.push_back(std::atan2(rotated(0, 0, second), rotated(0, 0, first)));
    }
    return out;
  }

  // By how much a vector grows: (1, 1, ...) at position 0, where nothing rotates.
  Numbers scale() const {
    Array<double> origin({1, 1});
    Array<S> ones({in_.scheme().model().heads, 1, in_.scheme().model().head_width()});
    ones.fill(1);
    return {{}, {in_.transform(host::Side::key, std::move(ones), origin)(0, 0, 0)}};
  }

  // cos (part 0) or sin (part 1) of every channel's plane at every position: [N, 2 planes].
  Numbers part_of(int part) const {
    const auto planes = static_cast<Index>(in_.facts().number(in_.spec().at("planes")));
    const bool pairing = interleaved();
    const Array<S> rotated = rotated_planes(in_.positions(), planes, pairing);
    Numbers out{{in_.positions().extent(0), 2 * planes}, {}};
    for (Index n = 0; n < in_.positions().extent(0); ++n)
      for (Index c = 0; c < 2 * planes; ++c) {
        const auto [first, second] = channels_of(pairing ? c / 2 : c % planes, planes, pairing);
        out.numbers.push_back(rotated(0, n, part == 0 ? first : second));
      }
    return out;
  }

 private:
  // The planes with (1, 0) rotated at the given positions: x [H, N, K] with a 1 in the first channel of every plane.
  Array<S> rotated_planes(const Array<double>& at, Index planes, bool interleaved) const {
    Array<S> x({in_.scheme().model().heads, at.extent(0), in_.scheme().model().head_width()});
    for (Index h = 0; h < x.extent(0); ++h)
      for (Index n = 0; n < x.extent(1); ++n)
        for (Index m = 0; m < planes; ++m) x(h, n, channels_of(m, planes, interleaved).first) = 1;
    return in_.transform(host::Side::key, std::move(x), at);
  }

  bool interleaved() const {
    const Json pairing = translated(in_.facts(), in_.spec().at("pairing"));
    if (pairing != "interleaved" && pairing != "half-split")
      throw Unknown("the pairing " + pairing.dump() + " is not known");
    return pairing == "interleaved";
  }

  const Inputs<S>& in_;
};

}  // namespace poslab::golden
