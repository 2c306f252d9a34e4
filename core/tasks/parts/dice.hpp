// SPDX-License-Identifier: Apache-2.0
// The draws of one instance, one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "poslab/base/random.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// A stream of its own for each (draws, name).
base::Stream stream_within(const base::Stream& draws, std::string_view name);

class Dice {
 public:
  explicit Dice(const base::Stream& stream) : stream_(stream) {}
  /// For instance `i`: never the draws of another part, instance or size.
  Dice(const base::Stream& draws, Part part, std::uint64_t i, Index size);

  double uniform() { return stream_.uniform(next_++); }  ///< in [0, 1)
  bool happens(double probability) { return uniform() < probability; }
  Index below(Index n) { return static_cast<Index>(stream_.below(next_++, static_cast<std::uint64_t>(n))); }
  std::int32_t token(Index vocabulary) { return static_cast<std::int32_t>(below(vocabulary)); }
  std::vector<double> normals(Index count);  ///< N(0, 1), independent
  /// Independent, each 0 .. vocabulary-1 alike.
  std::vector<std::int32_t> tokens(Index count, Index vocabulary);
  /// Every order alike (Fisher and Yates).
  void shuffle(std::span<Index> items);
  /// `count` different ones of 0 .. n-1, in random order; for n much larger than count.
  std::vector<Index> different(Index count, Index n);

 private:
  base::Stream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace poslab::tasks
