// SPDX-License-Identifier: Apache-2.0
// Where the arrays of one call lie. On the heap, or, one of them, against pages that nobody may touch: then a read or a
// write outside it ends the process, and the parent knows which array it was.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace poslab::check {

/// A guard's word for all arrays of a call.
inline constexpr const char* every_array = "every array";

/// Which array lies beside an inaccessible page, and on which side of it.
struct Guard {
  std::string array;  ///< empty: none
  bool before = false;
};

class Memory {
 public:
  explicit Memory(Guard guard = {}) : guard_(std::move(guard)) {}

  /// `bytes` bytes, 64-byte aligned as the boundary promises.
  void* take(const std::string& name, std::size_t bytes);
  /// "output, 8 bytes after its end", or empty: where the margins that surround the arrays were written to.
  std::string written_outside() const;

 private:
  struct Piece {
    std::string name;
    unsigned char* data;
    std::size_t bytes, before, after;  // margins within our own memory
  };
  struct Unmap {
    std::size_t length = 0;
    void operator()(void* pages) const;
  };
  void* keep(const Piece& piece);
  unsigned char* guarded(std::size_t bytes, std::size_t& after);

  Guard guard_;
  std::vector<Piece> pieces_;
  std::vector<std::unique_ptr<unsigned char[]>> heap_;
  std::vector<std::unique_ptr<void, Unmap>> pages_;
};

}  // namespace poslab::check
