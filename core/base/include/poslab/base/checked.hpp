// SPDX-License-Identifier: Apache-2.0
// Arithmetic on numbers from outside, which may be of any size and sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace poslab::base {

/// The product of numbers that are not negative; nothing where one of them is, or the product of those that are not 0
/// exceeds `most`.
std::optional<std::int64_t> checked_product(std::span<const std::int64_t> factors,
                                            std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// The bytes of a dense array of this shape. Throws std::bad_array_new_length, which is a std::bad_alloc, where no
/// memory could have so many.
std::size_t checked_bytes(std::span<const std::int64_t> shape, std::size_t bytes_each);

}  // namespace poslab::base
