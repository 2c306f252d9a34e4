// SPDX-License-Identifier: Apache-2.0
// Bytes that a journal, a worker or a shard hands over are a cell or an outcome, or are refused. The first byte chooses:
// the bytes as they are, or as the body of a record whose checksum is right, which no fuzzer would find.
#include <string>

#include "finding.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/pack.hpp"

using namespace poslab;

namespace {

// What is taken is given back byte for byte.
template <class Item>
void survive(Item (*unpack)(std::string_view), std::string_view bytes) {
  Item item;
  try {
    item = unpack(bytes);
  } catch (const base::NotPacked&) {
    return;
  }
  fuzz::require(base::pack(item) == bytes, "what was taken is packed as other bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string sealed = data[0] % 2 == 0 ? base::sha256(bytes).substr(0, 16) + bytes : bytes;
  survive(base::unpack_outcome, sealed);
  survive(base::unpack_cell, sealed);
  survive(base::unpack_scheme, sealed);
  survive(base::unpack_experiment, sealed);
  survive(base::unpack_expectation, sealed);
  return 0;
}
