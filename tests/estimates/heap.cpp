// SPDX-License-Identifier: Apache-2.0
// Counts in place of the C library's own functions, which all the others end in. Each block begins with a note of what
// was asked for. Sanitizers replace these functions themselves: there is nothing of it there.
#include "heap.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier): glibc calls it that
void __libc_free(void* memory);         // NOLINT(bugprone-reserved-identifier)
}

namespace {

std::atomic<std::int64_t> live_bytes{0}, max_bytes{0};

struct Note {  // right before each block
  void* from;
  std::size_t size;
};
static_assert(sizeof(Note) == alignof(std::max_align_t));

Note& note_of(void* memory) { return static_cast<Note*>(memory)[-1]; }

void* take(std::size_t alignment, std::size_t size) {
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  const std::size_t whole = size + alignment + sizeof(Note);
  void* const from = whole < size ? nullptr : __libc_malloc(whole);
  if (!from) {
    errno = ENOMEM;
    return nullptr;
  }
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(from) + sizeof(Note) + alignment - 1;
  void* const memory =
      static_cast<char*>(from) + (address / alignment * alignment - reinterpret_cast<std::uintptr_t>(from));
  note_of(memory) = {from, size};
  const std::int64_t bytes = static_cast<std::int64_t>(size), now = live_bytes.fetch_add(bytes) + bytes;
  std::int64_t most = max_bytes;
  while (now > most && !max_bytes.compare_exchange_weak(most, now)) {
  }
  return memory;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return take(0, size); }
void free(void* memory) {
  if (!memory) return;
  live_bytes -= static_cast<std::int64_t>(note_of(memory).size);
  __libc_free(note_of(memory).from);
}
void* calloc(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  void* const memory = take(0, bytes);
  return memory ? std::memset(memory, 0, bytes) : nullptr;
}
void* realloc(void* memory, std::size_t size) {
  void* const moved = take(0, size);
  if (!memory || !moved) return moved;
  std::memcpy(moved, memory, size < note_of(memory).size ? size : note_of(memory).size);
  free(memory);
  return moved;
}
void* memalign(std::size_t alignment, std::size_t size) { return take(alignment, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return take(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = take(alignment, size);
  return *memory ? 0 : ENOMEM;
}
std::size_t malloc_usable_size(void* memory) { return memory ? note_of(memory).size : 0; }
}

namespace heap {
std::int64_t live() { return live_bytes; }
std::int64_t peak() { return max_bytes; }
void watch() { max_bytes = live_bytes.load(); }
}  // namespace heap
#else
namespace heap {
std::int64_t live() { return 0; }
std::int64_t peak() { return 0; }
void watch() {}
}  // namespace heap
#endif
