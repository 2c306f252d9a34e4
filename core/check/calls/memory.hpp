// SPDX-License-Identifier: Apache-2.0
// Where the arrays of one call lie: on the heap between margins, or each beside guard pages. A read or a write within
// the guard pages ends the process; the address of the fault says which array it missed, and by how much.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace poslab::check {

/// On which side of every array guard pages lie.
enum class Guard { none, before, after };

/// A number outside an array that was read or written.
struct OutsideAccess {
  std::string array;
  std::int64_t index = 0;  ///< negative: before the array's start; `count` or more: after its end
  std::int64_t count = 0;  ///< numbers in the array
};
/// "index 12 of `output`, after its end (it holds 12 numbers)"
std::string to_text(const OutsideAccess& access);

class Memory {
 public:
  explicit Memory(Guard guard = Guard::none) : guard_(guard) {}

  /// Room for `count` numbers of `number_size` bytes, 64-byte aligned as the boundary promises.
  void* take(const std::string& name, std::size_t count, std::size_t number_size);
  /// The first write into the margins around the arrays.
  std::optional<OutsideAccess> written_outside() const;
  /// The array whose guard pages hold this address.
  std::optional<OutsideAccess> guarded_by(const void* address) const;

 private:
  struct Piece {
    std::string name;
    unsigned char* data;
    std::size_t count, number_size;
    std::size_t before, after;                     // margins within our own memory, in bytes
    const unsigned char *pages_begin, *pages_end;  // with the guard pages; null: on the heap
  };
  struct Unmap {
    std::size_t length = 0;
    void operator()(void* pages) const;
  };
  Piece on_heap(std::size_t bytes);
  Piece guarded(std::size_t bytes);
  static OutsideAccess access_at(const Piece& piece, const unsigned char* address);

  Guard guard_;
  std::vector<Piece> pieces_;
  std::vector<std::unique_ptr<unsigned char[]>> heap_;
  std::vector<std::unique_ptr<void, Unmap>> pages_;
};

/// What is said of an access to guard pages, before the process dies of the signal. Gets "wrote index 12 of `output`,
/// after its end (it holds 12 numbers)".
using FaultReport = std::function<void(const std::string&)>;

/// While it lives, a fault within the guard pages of `memory` is reported before it ends the process. One at a time.
class FaultWatch {
 public:
  FaultWatch(const Memory& memory, const FaultReport& report);
  ~FaultWatch();
  FaultWatch(const FaultWatch&) = delete;
  FaultWatch& operator=(const FaultWatch&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace poslab::check
