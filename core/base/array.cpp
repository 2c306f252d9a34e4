// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/array.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace poslab::base {
namespace {

constexpr std::size_t cache_line = 64, huge_page = std::size_t{2} << 20, large = 2 * huge_page;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

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

void* take_memory(std::size_t bytes) {
  const std::size_t alignment = bytes >= large ? huge_page : cache_line, size = rounded_up(bytes, alignment);
  if (size < bytes) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(alignment, size);
  if (!memory) throw std::bad_alloc();
  if (alignment == huge_page) madvise(memory, size, MADV_HUGEPAGE);  // a hint: small pages do as well
  return memory;
}

void give_back_memory(void* memory) { std::free(memory); }

}  // namespace poslab::base
