// SPDX-License-Identifier: Apache-2.0
// Little-endian reals of 2, 4 and 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/data/kept_array.hpp"

namespace poslab::arrays {

inline constexpr std::size_t max_dimensions = 8;

enum class Real { float64, float32, float16, bfloat16, int64, int32 };
std::uint64_t width_of(Real type);
inline bool is_whole(Real type) { return type == Real::int64 || type == Real::int32; }

/// The product of the extents times `width`, or nothing if that is more than 2^62 or an extent is negative.
std::optional<std::uint64_t> bytes_of(const std::vector<std::int64_t>& shape, std::uint64_t width);

/// Doubles stay doubles, whole numbers become doubles, the others floats, which hold each of them exactly.
/// Precondition: `bytes` are some numbers of `type`. Throws BadArray for a whole number that no double holds.
decltype(data::KeptArray::values) numbers_of(std::string_view bytes, Real type);

}  // namespace poslab::arrays
