// SPDX-License-Identifier: Apache-2.0
#include "h5/seal.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "poslab/base/hash.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::results {
namespace {

constexpr const char* begins = "\nposlab sha256 ";
constexpr std::size_t seal_size = 80;

std::string seal_with(const std::string& digest) { return begins + digest + "\n"; }

// Where HDF5's own part of a file ends, by its superblock; without end where that does not say so.
std::uint64_t end_of_hdf5(const base::RegularFile& file) {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  const std::string block = file.bytes_at(0, 64);
  if (block.size() < 64 || !block.starts_with("\x89HDF\r\n\x1a\n")) return unknown;
  const int version = block[8];
  if (version < 0 || version > 3 || block[version < 2 ? 13 : 9] != sizeof(std::uint64_t)) return unknown;
  std::uint64_t end = 0;  // little-endian, as this machine
  std::memcpy(&end, block.data() + (version == 0 ? 40 : version == 1 ? 44 : 28), sizeof end);
  return end;
}

}  // namespace

std::string seal_of(const std::string& path) { return seal_with(base::sha256_of_file(path)); }

void require_unbroken(const std::string& path) {
  const base::RegularFile file(path, "name a results file");
  const std::uint64_t sealed = file.size() < seal_size ? 0 : file.size() - seal_size;
  const std::string tail = file.bytes_at(sealed, seal_size);
  const bool good = tail.starts_with(begins) ? tail == seal_with(base::sha256_of_file(path, sealed))
                                             : file.size() <= end_of_hdf5(file);
  if (!good)
    throw base::FileError(path, "is damaged: its checksum is not that of its bytes",
                          "copy it again, or run its study again: finished cells come from the journal",
                          base::Error::Kind::damaged);
}

}  // namespace poslab::results
