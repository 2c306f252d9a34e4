// SPDX-License-Identifier: Apache-2.0
// The random numbers of a cell: contents that all schemes share, and weights of each scheme's own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"

namespace poslab::data {

/// Where a cell's draws come from. Contents are keyed WITHOUT scheme or plugin, so that schemes are compared on the
/// same draws: (study seed, experiment, repeat, purpose, shape). Initial weights: (study seed, scheme, repeat, array,
/// shape), without the variant, so that variants of a scheme are compared on the same draws wherever shapes agree.
class Draws {
 public:
  Draws(std::uint64_t study_seed, std::string experiment, std::string scheme, int repeat)
      : seed_(study_seed), experiment_(std::move(experiment)), scheme_(std::move(scheme)), repeat_(repeat) {}

  /// Standard normal contents for `purpose` ("query", "key", ...), of the given extents.
  base::Array<double> normal(std::string_view purpose, std::initializer_list<base::Index> extents) const;
  base::Stream contents(std::string_view purpose, std::initializer_list<base::Index> extents = {}) const;
  /// Number i of the stream is entry i of the array of this shape.
  base::Stream weights(std::string_view weight_name, std::span<const base::Index> shape, int layer) const;
  int repeat() const { return repeat_; }
  /// The same draws of contents, with the weights of another scheme, as a layer of a stack has it.
  Draws of_scheme(const std::string& scheme) const { return {seed_, experiment_, scheme, repeat_}; }
  /// Draws that no repeat has, and all repeats of a cell share: those of number -1, -2, ...; `number` counts from 0.
  Draws beside_repeats(int number) const { return {seed_, experiment_, scheme_, -1 - number}; }

 private:
  std::uint64_t seed_;
  std::string experiment_, scheme_;
  int repeat_;
};

}  // namespace poslab::data
