// SPDX-License-Identifier: Apache-2.0
// How packed bytes are written and read. Layout: 16 hex digits of the SHA-256 of all that follows, one letter for the
// kind of record, one byte of version, the members in order. Numbers are 8 bytes, little-endian; texts and lists begin
// with their length.
// The reader trusts nothing, for anybody can compute a checksum: a length is only used once that many bytes are known
// to follow, every enumerator is in range, and it accepts no other bytes than those that pack writes for the result.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poslab/data/kept_array.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/data/value.hpp"

namespace poslab::data {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// Version 2 has members that version 1 has not, behind all others; it is written only where one of them is not empty,
/// so that older records are read and written as they were.
inline constexpr char packed_version = 1, extended_version = 2;
inline constexpr std::size_t checksum_size = 16;  // hex digits

class PackWriter {
 public:
  explicit PackWriter(char letter);
  /// Called before the first of the members that version 1 has not.
  void extend();
  void number(std::uint64_t x);
  void signed_number(std::int64_t x) { number(static_cast<std::uint64_t>(x)); }
  void flag(bool x) { number(x ? 1 : 0); }
  void real(double x);
  void text(const std::string& text);
  template <class T, class Write>
  void list(const std::vector<T>& items, Write write) {
    number(items.size());
    for (const T& item : items) write(item);
  }
  void reals(const std::vector<double>& items);
  void array(const KeptArray& array);
  void texts(const std::vector<std::string>& items);
  void value(const Value& value);
  void values(const Values& values);
  std::string finish() const;

 private:
  std::string bytes_;
};

/// Whether a kind of record has an extended version.
enum class Extension { never, possible };

/// Every function throws NotPacked.
class PackReader {
 public:
  PackReader(std::string_view bytes, char letter, Extension extension = Extension::never);
  bool is_extended() const { return extended_; }
  std::uint64_t number();
  std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }
  int small_number();  ///< an int
  bool flag();
  double real();
  std::string text();
  std::vector<double> reals();
  KeptArray array();
  /// Grows with what is read, not with what is promised.
  template <class T, class Read>
  std::vector<T> list(Read read) {
    std::vector<T> items;
    for (std::uint64_t left = count(); left > 0; --left) items.push_back(read());
    return items;
  }
  std::vector<std::string> texts();
  Value value();
  Values values();
  /// How many things with names of their own follow. They are looked up one by one, so there must be few.
  std::uint64_t count_of_named();
  /// The same of what only an extended record has, and has for this alone: at least one.
  std::uint64_t count_of_extension();
  /// A number that must be one of 0 .. most.
  template <class E>
  E one_of(E most) {
    const std::uint64_t x = number();
    if (x > static_cast<std::uint64_t>(most)) throw NotPacked(NotPacked::Problem::out_of_range);
    return static_cast<E>(x);
  }
  void finish() const;

 private:
  std::string_view take(std::uint64_t size);
  std::uint64_t count();  // of items of at least 8 bytes
  std::string_view rest_;
  bool extended_ = false;
};

}  // namespace poslab::data
