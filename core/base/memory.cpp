// SPDX-License-Identifier: Apache-2.0
// The memory of arrays.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "poslab/base/array.hpp"

namespace poslab::base {
namespace {

constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20, large = 2 * huge_page;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

void* take_memory(std::size_t bytes) {
  const std::size_t alignment = bytes >= large ? huge_page : line, size = rounded_up(bytes, alignment);
  if (size < bytes) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(alignment, size);
  if (!memory) throw std::bad_alloc();
  if (alignment == huge_page) madvise(memory, size, MADV_HUGEPAGE);  // a hint: small pages do as well
  return memory;
}

void give_back_memory(void* memory) { std::free(memory); }

}  // namespace poslab::base
