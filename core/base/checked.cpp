// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/checked.hpp"

#include <algorithm>
#include <new>

namespace poslab::base {

std::optional<std::int64_t> checked_product(std::span<const std::int64_t> factors, std::int64_t most) {
  if (std::any_of(factors.begin(), factors.end(), [](std::int64_t factor) { return factor < 0; })) return std::nullopt;
  std::int64_t product = 1;  // of those that are not 0: strides are products of some of them
  for (const std::int64_t factor : factors) {
    if (factor > most / product) return std::nullopt;
    if (factor > 0) product *= factor;
  }
  return std::find(factors.begin(), factors.end(), 0) == factors.end() ? product : 0;
}

std::size_t checked_bytes(std::span<const std::int64_t> shape, std::size_t bytes_each) {
  constexpr std::int64_t spare = std::int64_t{1} << 30;  // for whoever rounds it up
  const auto most = (std::numeric_limits<std::int64_t>::max() - spare) / static_cast<std::int64_t>(bytes_each);
  const auto count = checked_product(shape, most);
  if (!count) throw std::bad_array_new_length();
  return static_cast<std::size_t>(*count) * bytes_each;
}

}  // namespace poslab::base
