// SPDX-License-Identifier: Apache-2.0
// The precisions in which a dump may have been worked out, from the numbers that it holds.
#include <cmath>

#include "compare/compare.hpp"

namespace poslab::identify {
namespace {

using Angles = Precision::Angles;

constexpr double unit64 = 0x1p-53, unit32 = 0x1p-24;
// Roundings on the way to an angle: the exponent, times the logarithm of the base (16 for a base of 1e7), the power,
// the reciprocal, the product with the position.
constexpr double max_roundings = 20;

double unit_of(const numerics::Format& format) { return std::ldexp(1.0, -format.significand_bits); }

bool all_are(const Evidence& evidence, const auto& holds) {
  for (const auto& observation : evidence.observations)
    for (const double x : observation->numbers())
      if (std::isfinite(x) && !holds(x)) return false;
  return true;
}

}  // namespace

std::vector<Standard> standards_for(const Evidence& evidence) {
  const char* stored = "float64";
  double unit = unit64;
  const auto holds = [](const numerics::Format& format) {
    return [&](double x) { return numerics::rounded(x, format) == x; };
  };
  if (all_are(evidence, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; }))
    stored = "float32", unit = unit32;
  for (const numerics::Format* format : {&numerics::float16, &numerics::bfloat16})
    if (all_are(evidence, holds(*format))) stored = format->name, unit = unit_of(*format);
  std::vector<Standard> standards{{{Angles::float64, "", stored}, 2 * max_roundings * unit64, 16 * unit64, nullptr}};
  if (unit > unit64)
    standards.push_back({{Angles::rounded, "", stored}, 2 * max_roundings * unit64, 1.01 * unit32, nullptr});
  standards.push_back({{Angles::float32, "", stored}, max_roundings * unit32, 4 * unit32, nullptr});
  const double of_stored = std::max(4 * unit32, 1.01 * unit);
  if (unit > unit32) standards.push_back({{Angles::float32, "", stored}, max_roundings * unit32, of_stored, nullptr});
  for (const numerics::Format* format : {&numerics::bfloat16, &numerics::float16})
    for (const Angles stage :
         {Angles::frequencies, Angles::tables, Angles::angles, Angles::positions, Angles::all, Angles::slopes})
      standards.push_back({{stage, format->name, stored}, max_roundings * unit32, of_stored, format});
  return standards;
}

}  // namespace poslab::identify
