// SPDX-License-Identifier: Apache-2.0
#include "numbers.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "poslab/arrays/source.hpp"

namespace poslab::arrays {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

float from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  float size = 0;
  if (exponent == 31)
    size = fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  else
    size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                         : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (bits >> 15) != 0 ? -size : size;
}

template <class T>
std::vector<T> copied(std::string_view bytes) {
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

template <class Convert>
std::vector<float> widened(std::string_view bytes, const Convert& convert) {
  std::vector<float> list;
  list.reserve(bytes.size() / 2);
  for (const std::uint16_t bits : copied<std::uint16_t>(bytes)) list.push_back(convert(bits));
  return list;
}

template <class Whole>
std::vector<double> whole_numbers(std::string_view bytes) {
  constexpr auto most = std::int64_t{1} << 53;
  std::vector<double> list;
  for (const Whole number : copied<Whole>(bytes)) {
    if (number > most || number < -most) throw BadArray(fmt::format("holds {}, which no float64 holds", number));
    list.push_back(static_cast<double>(number));
  }
  return list;
}

}  // namespace

std::uint64_t width_of(Real type) {
  switch (type) {
    case Real::float64:
    case Real::int64: return 8;
    case Real::float32:
    case Real::int32: return 4;
    case Real::float16:
    case Real::bfloat16: return 2;
  }
  return 8;
}

std::optional<std::uint64_t> bytes_of(const std::vector<std::int64_t>& shape, std::uint64_t width) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t bytes = width;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes) || bytes > most) return std::nullopt;
  }
  return bytes;
}

decltype(data::KeptArray::values) numbers_of(std::string_view bytes, Real type) {
  switch (type) {
    case Real::float64: return copied<double>(bytes);
    case Real::float32: return copied<float>(bytes);
    case Real::int64: return whole_numbers<std::int64_t>(bytes);
    case Real::int32: return whole_numbers<std::int32_t>(bytes);
    case Real::float16: return widened(bytes, from_half);
    case Real::bfloat16:
      return widened(bytes, [](std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); });
  }
  return {};
}

}  // namespace poslab::arrays
