// SPDX-License-Identifier: Apache-2.0
#include "calls/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "failure.hpp"

namespace poslab::check {
namespace {

constexpr std::size_t alignment = 64, margin = 64;
// Untouchable addresses on each side of an array: far enough for an index that is wrong by whole rows.
constexpr std::size_t guard_bytes = std::size_t{1} << 20;
constexpr unsigned char pattern = 0xA5;

std::size_t rounded_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

std::string to_text(const OutsideAccess& access) {
  return fmt::format("index {} of `{}`, {} (it holds {} number{})", access.index, access.array,
                     access.index < 0 ? "before its start" : "after its end", access.count,
                     access.count == 1 ? "" : "s");
}

void Memory::Unmap::operator()(void* pages) const { munmap(pages, length); }

void* Memory::take(const std::string& name, std::size_t count, std::size_t number_size) {
  const std::size_t bytes = count * number_size;
  Piece piece = guard_ == Guard::none ? on_heap(bytes) : guarded(bytes);
  piece.name = name;
  piece.count = count;
  piece.number_size = number_size;
  std::memset(piece.data - piece.before, pattern, piece.before);
  std::memset(piece.data + bytes, pattern, piece.after);
  pieces_.push_back(piece);
  return piece.data;
}

Memory::Piece Memory::on_heap(std::size_t bytes) {
  heap_.push_back(std::make_unique<unsigned char[]>(bytes + 2 * margin + alignment));
  const auto first = reinterpret_cast<std::uintptr_t>(heap_.back().get());
  auto* data = heap_.back().get() + (rounded_up(first + margin, alignment) - first);
  return {"", data, 0, 0, margin, margin, nullptr, nullptr};
}

// Guard pages, room for the array, guard pages. The array begins right after the first ones, or ends right before the
// second ones, as near as its alignment lets it.
Memory::Piece Memory::guarded(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t room = rounded_up(std::max<std::size_t>(bytes, 1), page), all = room + 2 * guard_bytes;
  void* pages = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw NotPerformed(fmt::format(
        "no {} bytes of address space for guard pages around an array; is there a limit (ulimit -v)?", all));
  pages_.emplace_back(pages, Unmap{all});
  auto* begin = static_cast<unsigned char*>(pages);
  mprotect(begin + guard_bytes, room, PROT_READ | PROT_WRITE);
  const std::size_t offset = guard_ == Guard::before ? 0 : room - rounded_up(bytes, alignment);
  return {"", begin + guard_bytes + offset, 0, 0, 0, room - offset - bytes, begin, begin + all};
}

OutsideAccess Memory::access_at(const Piece& piece, const unsigned char* address) {
  const auto size = static_cast<std::int64_t>(piece.number_size), bytes = address - piece.data;
  const std::int64_t index = bytes >= 0 ? bytes / size : (bytes - size + 1) / size;  // rounded down
  return {piece.name, index, static_cast<std::int64_t>(piece.count)};
}

std::optional<OutsideAccess> Memory::written_outside() const {
  for (const Piece& piece : pieces_) {
    for (std::size_t i = 1; i <= piece.before; ++i)
      if (*(piece.data - i) != pattern) return access_at(piece, piece.data - i);
    const unsigned char* end = piece.data + piece.count * piece.number_size;
    for (std::size_t i = 0; i < piece.after; ++i)
      if (end[i] != pattern) return access_at(piece, end + i);
  }
  return std::nullopt;
}

std::optional<OutsideAccess> Memory::guarded_by(const void* address) const {
  const auto* byte = static_cast<const unsigned char*>(address);
  for (const Piece& piece : pieces_)
    if (piece.pages_begin && byte >= piece.pages_begin && byte < piece.pages_end) return access_at(piece, byte);
  return std::nullopt;
}

}  // namespace poslab::check
