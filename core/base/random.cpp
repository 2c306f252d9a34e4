// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/random.hpp"

#include <Random123/philox.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "poslab/base/hash.hpp"

namespace poslab::base {
namespace {

std::uint64_t word(const std::string& hex, std::size_t index) {
  return std::stoull(hex.substr(16 * index, 16), nullptr, 16);
}

// Evaluates numerator(x) / denominator(x); highest coefficient first.
template <std::size_t N, std::size_t M>
double ratio(const double (&numerator)[N], const double (&denominator)[M], double x) {
  double above = 0, below = 0;
  for (const double c : numerator) above = above * x + c;
  for (const double c : denominator) below = below * x + c;
  return above / below;
}

// The midpoint of one of 2^53 equal cells: never 0 or 1, and symmetric about 1/2.
double probability(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

// Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988): the centre, q = p - 1/2.
bool is_central(double q) { return std::abs(q) <= 0.425; }

double central_quantile(double q) {
  static constexpr double a[] = {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
                                 4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
                                 1.3314166789178437745e2, 3.3871328727963666080e0};
  static constexpr double b[] = {
      5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
      5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0};
  return q * ratio(a, b, 0.180625 - q * q);
}

}  // namespace

Stream::Stream(std::string_view key) {
  const std::string hex = sha256(key);
  key_ = word(hex, 0);
  counter_ = word(hex, 1);
}

// One block of Philox 4x32 gives two 64-bit words: numbers 2b and 2b + 1 come from block b.
std::array<std::uint64_t, 2> Stream::block(std::uint64_t b) const {
  const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32),
                                            static_cast<std::uint32_t>(counter_),
                                            static_cast<std::uint32_t>(counter_ >> 32)}};
  const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {static_cast<std::uint64_t>(out[1]) << 32 | out[0], static_cast<std::uint64_t>(out[3]) << 32 | out[2]};
}

std::uint64_t Stream::bits(std::uint64_t i) const { return block(i / 2)[i % 2]; }

double Stream::uniform(std::uint64_t i) const { return static_cast<double>(bits(i) >> 11) * 0x1p-53; }

double Stream::normal(std::uint64_t i) const { return normal_quantile(probability(bits(i))); }

std::uint64_t Stream::below(std::uint64_t i, std::uint64_t n) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits(i)) * n) >> 64);
}

void Stream::fill_normal(View<double> out, std::uint64_t first) const {
  constexpr Index tile = 256;
  double p[tile];
  for (Index start = 0; start < out.size(); start += tile) {
    const Index count = std::min(tile, out.size() - start);
    const std::uint64_t at = first + static_cast<std::uint64_t>(start);
    std::array<std::uint64_t, 2> words = block(at / 2);
    for (Index i = 0; i < count; ++i) {
      const std::uint64_t n = at + static_cast<std::uint64_t>(i);
      if (i > 0 && n % 2 == 0) words = block(n / 2);
      p[i] = probability(words[n % 2]);
    }
    // The centre's formula for all, as vector code; then the tails, one by one.
    for (Index i = 0; i < count; ++i) out.data[start + i] = central_quantile(p[i] - 0.5);
    for (Index i = 0; i < count; ++i)
      if (!is_central(p[i] - 0.5)) out.data[start + i] = normal_quantile(p[i]);
  }
}

double normal_quantile(double p) {
  static constexpr double c[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                                 1.27045825245236838258e0,  3.64784832476320460504e0,  5.76949722146069140550e0,
                                 4.63033784615654529590e0,  1.42343711074968357734e0};
  static constexpr double d[] = {
      1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
      6.89767334985100004550e-1, 1.67638483018380384940e0,  2.05319162663775882187e0,  1.0};
  static constexpr double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                                 2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0,
                                 5.46378491116411436990e0,  6.65790464350110377720e0};
  static constexpr double f[] = {
      2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
      1.48753612908506148525e-2,  1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0};
  const double q = p - 0.5;
  if (is_central(q)) return central_quantile(q);
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double x = r <= 5 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5);
  return q < 0 ? -x : x;
}

}  // namespace poslab::base
