// SPDX-License-Identifier: Apache-2.0
// Counter-based draws: number i of a stream is a pure function of (key, i), so any part can be drawn by any thread.
// Philox 4x32-10 (Salmon et al. 2011) from Random123; uniform and normal are ours, as the std distributions are not
// portable.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "poslab/base/array.hpp"

namespace poslab::base {

/// One stream of independent draws. Copyable, stateless.
class Stream {
 public:
  /// One stream for each `key`.
  explicit Stream(std::string_view key);

  std::uint64_t bits(std::uint64_t i) const;
  /// In [0, 1), a multiple of 2^-53.
  double uniform(std::uint64_t i) const;
  /// N(0, 1), by the inverse of the normal distribution function (Wichura 1988, AS 241).
  double normal(std::uint64_t i) const;
  /// In 0 .. n-1, n > 0; bias below n / 2^64.
  std::uint64_t below(std::uint64_t i, std::uint64_t n) const;

  /// out[i] = normal(first + i)
  void fill_normal(View<double> out, std::uint64_t first = 0) const;

 private:
  std::array<std::uint64_t, 2> block(std::uint64_t b) const;  // numbers 2b and 2b + 1

  std::uint64_t key_;
  std::uint64_t counter_;  // the upper half of the counter: more of the key's hash
};

/// Inverse of the standard normal distribution function for 0 < p < 1 (AS 241, about 1e-16 relative).
double normal_quantile(double p);

}  // namespace poslab::base
