// SPDX-License-Identifier: Apache-2.0
// Bytes from a journal, a worker or a shard are a cell or an outcome, or are refused. The first byte chooses: the bytes
// as they are, or as the body of a record with the right checksum, which no fuzzer would find.
#include <string>
#include <type_traits>

#include "finding.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/shard_journal.hpp"

using namespace poslab;

namespace {

// Outcomes of before the state of weights was packed: their first number, behind checksum, letter and version, is the
// status alone.
bool is_of_before(std::string_view outcome) {
  constexpr std::size_t first = 16 + 2;
  return outcome[first] >= 0 && outcome[first] < 8 &&
         outcome.substr(first + 1, 7) == std::string_view("\0\0\0\0\0\0\0", 7);
}

// What is taken is given back byte for byte; outcomes of before in today's form.
template <class Item>
void survive(std::string_view bytes) {
  Item item;
  try {
    item = data::unpack<Item>(bytes);
  } catch (const data::NotPacked&) {
    return;
  }
  const std::string today = data::pack(item);
  const bool of_before = std::is_same_v<Item, data::Outcome> && is_of_before(bytes);
  fuzz::require(of_before || today == bytes, "what was taken is packed as other bytes");
  fuzz::require(data::pack(data::unpack<Item>(today)) == today, "what was packed is taken as another item");
}

// What a shard is a part of: its journal may be a stranger's.
void survive_shard(std::string_view bytes) try {
  static_cast<void>(journal::unpack_shard_record(bytes));
} catch (const data::NotPacked&) {
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
  survive_shard(sealed);
  return 0;
}
