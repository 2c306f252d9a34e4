// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "poslab/base/error.hpp"

namespace poslab::check {
namespace {

constexpr std::size_t alignment = 64, margin = 64;
constexpr unsigned char pattern = 0xA5;

std::size_t rounded_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

void Memory::Unmap::operator()(void* pages) const { munmap(pages, length); }

void* Memory::take(const std::string& name, std::size_t bytes) {
  if (name == guard_.array || guard_.array == every_array) {
    std::size_t after = 0;
    unsigned char* data = guarded(bytes, after);
    return keep({name, data, bytes, 0, after});
  }
  heap_.push_back(std::make_unique<unsigned char[]>(bytes + 2 * margin + alignment));
  const auto first = reinterpret_cast<std::uintptr_t>(heap_.back().get());
  auto* data = heap_.back().get() + (rounded_up(first + margin, alignment) - first);
  return keep({name, data, bytes, margin, margin});
}

// A page that nobody may touch, room for the array, another such page. The array begins right after the first, or ends
// right before the second, as near as its alignment lets it.
unsigned char* Memory::guarded(std::size_t bytes, std::size_t& after) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t room = rounded_up(std::max<std::size_t>(bytes, 1), page);
  void* all = mmap(nullptr, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw base::Error("no memory for guard pages");
  pages_.emplace_back(all, Unmap{room + 2 * page});
  auto* first = static_cast<unsigned char*>(all) + page;
  mprotect(first, room, PROT_READ | PROT_WRITE);
  const std::size_t offset = guard_.before ? 0 : room - rounded_up(bytes, alignment);
  after = room - offset - bytes;
  return first + offset;
}

void* Memory::keep(const Piece& piece) {
  std::memset(piece.data - piece.before, pattern, piece.before);
  std::memset(piece.data + piece.bytes, pattern, piece.after);
  pieces_.push_back(piece);
  return pieces_.back().data;
}

std::string Memory::written_outside() const {
  for (const Piece& piece : pieces_) {
    for (std::size_t i = 1; i <= piece.before; ++i)
      if (*(piece.data - i) != pattern) return fmt::format("`{}`, {} bytes before its start", piece.name, i);
    for (std::size_t i = 0; i < piece.after; ++i)
      if (piece.data[piece.bytes + i] != pattern) return fmt::format("`{}`, {} bytes after its end", piece.name, i);
  }
  return "";
}

}  // namespace poslab::check
