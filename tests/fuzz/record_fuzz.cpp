// SPDX-License-Identifier: Apache-2.0
// Bytes from a journal, a worker or a shard are a cell or an outcome, or are refused. The first byte chooses: the bytes
// as they are, or as the body of a record with the right checksum, which no fuzzer would find.
#include <string>

#include "finding.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/data/pack.hpp"

using namespace poslab;

namespace {

// What is taken is given back byte for byte.
template <class Item>
void survive(std::string_view bytes) {
  Item item;
  try {
    item = data::unpack<Item>(bytes);
  } catch (const data::NotPacked&) {
    return;
  }
  fuzz::require(data::pack(item) == bytes, "what was taken is packed as other bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string sealed = data[0] % 2 == 0 ? base::sha256(bytes).substr(0, 16) + bytes : bytes;
  survive<data::Outcome>(sealed);
  survive<data::Cell>(sealed);
  survive<data::SchemeInfo>(sealed);
  survive<data::ExperimentInfo>(sealed);
  survive<data::Expectation>(sealed);
  survive<data::GivenWeights>(sealed);
  return 0;
}
