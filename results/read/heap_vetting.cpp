// SPDX-License-Identifier: Apache-2.0
// The heaps in which HDF5 keeps texts, walked as HDF5 walks them: from one object to the next, by the size that each
// says it has. HDF5 1.10 goes on for ever at a free space of no bytes, and anywhere at one that leads out of the heap.
#include <cstdint>
#include <cstring>

#include "poslab/base/regular_file.hpp"
#include "read/vetting.hpp"

namespace poslab::results {
namespace {

// "GCOL", version 1: a heap, wherever it lies; then three bytes that poslab leaves 0, and HDF5 does not look at.
constexpr std::string_view begins_heap{"GCOL\1", 5}, reserved{"\0\0\0", 3};
constexpr std::uint64_t heap_header = 16;  // bytes, of a heap as of an object in it

// The bytes of a file, read ahead.
class Window {
 public:
  explicit Window(const std::string& path) : file_(path) {}
  std::uint64_t size() const { return file_.size(); }
  /// `count` bytes from there, or fewer at the end of the file.
  std::string_view at(std::uint64_t offset, std::size_t count) {
    if (offset < start_ || offset + count > start_ + bytes_.size()) {
      start_ = offset;
      bytes_ = file_.bytes_at(offset, std::max(count, read_ahead));
    }
    return std::string_view(bytes_).substr(static_cast<std::size_t>(offset - start_), count);
  }

 private:
  static constexpr std::size_t read_ahead = 1 << 16;
  base::RegularFile file_;
  std::string bytes_;
  std::uint64_t start_ = 0;
};

template <class Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  Number number = 0;  // little-endian, as this machine
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

class HeapVetting {
 public:
  explicit HeapVetting(const std::string& path) : path_(path), search_(path), walk_(path) {}

  void all() {
    constexpr std::size_t block = 1 << 16;
    for (std::uint64_t start = 0; start < search_.size(); start += block) {
      const std::string_view bytes = search_.at(start, block + begins_heap.size() - 1);
      for (std::size_t at = bytes.find(begins_heap); at != bytes.npos; at = bytes.find(begins_heap, at + 1))
        heap(start + at);
    }
  }

 private:
  [[noreturn]] void refuse(std::uint64_t heap, const char* problem) const {
    throw forbidden_object(path_, "the heap at byte " + std::to_string(heap), problem);
  }

  // Heaps within heaps would make work without end of a file that is not large.
  void heap(std::uint64_t start) {
    const std::string_view first = walk_.at(start, heap_header);
    const std::uint64_t size = first.size() < heap_header ? 0 : number_at<std::uint64_t>(first, 8);
    if (size < heap_header || size > walk_.size() - start) {
      // No heap, or one that HDF5 cannot read: five bytes may look so by chance.
      if (first.substr(begins_heap.size(), reserved.size()) != reserved) return;
      refuse(start, "is larger than the file");
    }
    for (std::uint64_t at = start + heap_header, end = start + size; end - at >= heap_header;) {
      if (++objects_ > walk_.size() / heap_header) refuse(start, "shares its bytes with other heaps");
      const std::uint64_t step = step_of(walk_.at(at, heap_header));
      if (step < heap_header || step > end - at) refuse(start, "has an object whose size cannot be");
      at += step;
    }
  }

  // An object's own header and its bytes, filled up to a multiple of 8; of free space (number 0) all that it has.
  static std::uint64_t step_of(std::string_view object) {
    if (object.size() < heap_header) return 0;
    const std::uint64_t bytes = number_at<std::uint64_t>(object, 8), most = std::uint64_t{1} << 62;
    if (number_at<std::uint16_t>(object, 0) == 0) return bytes;
    return bytes > most ? 0 : heap_header + (bytes + 7) / 8 * 8;
  }

  const std::string& path_;
  Window search_, walk_;
  std::uint64_t objects_ = 0;
};

}  // namespace

void vet_heaps(const std::string& path) { HeapVetting(path).all(); }

}  // namespace poslab::results
