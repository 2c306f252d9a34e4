// SPDX-License-Identifier: Apache-2.0
// The same bits whatever vectors the machine has: a build for every x86-64 against one for this machine.
#include "kernels.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace {

std::vector<double> scattered(std::size_t count, double seed) {
  std::vector<double> numbers(count);
  for (double& x : numbers) x = 2 * (seed = std::fmod(seed + 0.6180339887498949, 1.0)) - 1;
  return numbers;
}

template <class S>
void same_bits(const std::vector<S>& a, const std::vector<S>& b) {
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(std::bit_cast<Bits>(a[i]) == std::bit_cast<Bits>(b[i]));
}

template <class S>
void check_rows(std::size_t planes) {
  const auto x = scattered(2 * planes, 0.1), c = scattered(planes, 0.2), s = scattered(planes, 0.3);
  const std::vector<S> cosines(c.begin(), c.end()), sines(s.begin(), s.end());
  for (const bool halves : {false, true}) {
    std::vector<S> a(x.begin(), x.end()), b = a;
    if constexpr (sizeof(S) == 4) {
      abi_common.rotate_f32(halves, a.data(), cosines.data(), sines.data(), planes);
      abi_native.rotate_f32(halves, b.data(), cosines.data(), sines.data(), planes);
      same_bits<S>({abi_common.dot_f32(a.data(), b.data(), planes)}, {abi_native.dot_f32(a.data(), b.data(), planes)});
    } else {
      abi_common.rotate_f64(halves, a.data(), cosines.data(), sines.data(), planes);
      abi_native.rotate_f64(halves, b.data(), cosines.data(), sines.data(), planes);
      same_bits<S>({abi_common.dot_f64(a.data(), b.data(), planes)}, {abi_native.dot_f64(a.data(), b.data(), planes)});
    }
    same_bits(a, b);
  }
}

}  // namespace

TEST_CASE("sine, cosine, rotations and sums have the same bits with and without wide vectors") {
  if (!abi_native.has_wide_vectors) WARN("this machine's build has no wider vectors than the common one");
  CHECK_FALSE(abi_common.has_wide_vectors);
  for (const double reach : {1.0, 100.0, 8192.0, 1.6e6, 3e6, 1e15}) {
    const std::vector<double> frequencies = scattered(10007, 0.4);
    std::vector<double> s1(frequencies.size()), c1 = s1, s2 = s1, c2 = s1;
    abi_common.sines_and_cosines(reach, frequencies.data(), s1.data(), c1.data(), s1.size());
    abi_native.sines_and_cosines(reach, frequencies.data(), s2.data(), c2.data(), s2.size());
    same_bits(s1, s2);
    same_bits(c1, c2);
  }
  for (const std::size_t planes : {1, 2, 3, 5, 8, 31, 64, 129}) {
    check_rows<float>(planes);
    check_rows<double>(planes);
  }
}
