// SPDX-License-Identifier: Apache-2.0
// What was packed and has been damaged, or made by somebody who means harm.
#include "catch.hpp"
#include "packed.hpp"

using namespace packed;

namespace {

// Reads any of the seven, and packs it again.
std::string repack(const std::string& bytes, char letter) {
  switch (letter) {
    case 'O': return pack(unpack<Outcome>(bytes));
    case 'C': return pack(unpack<Cell>(bytes));
    case 'S': return pack(unpack<SchemeInfo>(bytes));
    case 'E': return pack(unpack<ExperimentInfo>(bytes));
    case 'V': return pack(unpack<Values>(bytes));
    case 'W': return pack(unpack<GivenWeights>(bytes));
    default: return pack(unpack<Expectation>(bytes));
  }
}

std::vector<std::string> all_kinds() {
  return {pack(outcome()),     pack(cell()),        pack(scheme()),
          pack(experiment()),  pack(expectation()), pack(cell().variant.parameters),
          pack(kept()),        pack(given()),       pack(with_files()),
          pack(weights()),     pack(difference()),  pack(mixed()),
          pack(mixed_scheme())};
}

char letter_of(const std::string& bytes) { return bytes[checksum_size]; }

// Whether the outcome was packed before its state of weights was known: it comes back in the newer form.
bool is_older(const std::string& bytes, char letter) { return letter == 'O' && bytes[checksum_size + 1] < 8; }

// Whether `bytes`, if they are taken, come back byte for byte.
bool refused_or_unchanged(const std::string& bytes, char letter, int& refused) {
  try {
    const std::string again = repack(bytes, letter);
    return again == bytes || (is_older(bytes, letter) && repack(again, letter) == again);
  } catch (const NotPacked&) {
    ++refused;
    return true;
  }
}

}  // namespace

TEST_CASE("pack: what was cut short anywhere, or has any bit changed, is noticed") {
  for (const std::string& bytes : all_kinds()) {
    const char letter = letter_of(bytes);
    CHECK(repack(bytes, letter) == bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      REQUIRE_THROWS_AS(repack(bytes.substr(0, size), letter), NotPacked);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      REQUIRE_THROWS_AS(repack(changed, letter), NotPacked);
    }
    REQUIRE_THROWS_AS(repack(bytes + "x", letter), NotPacked);
    for (const char other : {'O', 'C', 'S', 'E', 'X', 'V'})
      if (other != letter) CHECK_THROWS_AS(repack(bytes, other), NotPacked);
  }
}

TEST_CASE("pack: with a checksum that fits, changed bytes are refused or come back as they are") {
  for (const std::string& bytes : all_kinds()) {
    const char letter = letter_of(bytes);
    for (std::size_t size = checksum_size; size < bytes.size(); ++size)
      REQUIRE_THROWS_AS(repack(sealed(bytes.substr(0, size)), letter), NotPacked);
    int refused = 0;
    for (std::size_t bit = 8 * checksum_size; bit < 8 * bytes.size(); ++bit) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      changed = sealed(changed);
      const bool as_it_was = refused_or_unchanged(changed, letter, refused);
      REQUIRE(as_it_was);
    }
    CHECK(refused > 100);
  }
}

TEST_CASE("pack: no promised length is believed") {
  // Any eight bytes may be a length: each becomes an enormous one.
  int refused = 0;
  for (const std::string& bytes : all_kinds())
    for (const std::uint64_t enormous : {std::uint64_t{1} << 60, std::uint64_t{1} << 32, ~std::uint64_t{0}})
      for (std::size_t at = checksum_size + 2; at + 8 <= bytes.size(); ++at) {
        std::string changed = bytes;
        changed.replace(at, 8, reinterpret_cast<const char*>(&enormous), 8);
        const bool as_it_was = refused_or_unchanged(sealed(changed), letter_of(bytes), refused);
        REQUIRE(as_it_was);
      }
  CHECK(refused > 1000);
}
