// SPDX-License-Identifier: Apache-2.0
// Members of structs as bytes. What is written and what is read is listed once, in a function that takes a Writer or a
// Reader:
//   template <class Archive, Of<Given> T>
//   void members(Archive& archive, T& given) { archive(given.name, given.hash); }
// Numbers, flags and enumerators are 8 bytes, little-endian; texts and lists begin with their length. A refusal is the
// text of its reason, which is empty where there is none. The reader trusts nothing: a length is only used once that
// many bytes are known to follow, every enumerator is from 0 to the `last` of its enumeration, and it accepts no other
// bytes than those that are written for the result.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/refusal.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/value.hpp"

namespace poslab::data {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// Bytes that are not what was written: cut short, changed, or of another version.
struct NotPacked : base::Error {
  enum class Problem {
    too_short,
    changed,
    other_kind,
    other_version,
    ends_too_soon,
    too_long,
    out_of_range,
    too_many_names,
    name_twice,
    contradiction
  };
  /// `detail` is part of the sentences about a version, a name and a contradiction.
  explicit NotPacked(Problem problem, const std::string& detail = "");
  Problem problem;
};

/// A T that is read, or a const T that is written.
template <class C, class T>
concept Of = std::same_as<std::remove_const_t<C>, T>;

class Writer {
 public:
  static constexpr bool reads = false;

  explicit Writer(int version = 1) : version_(version) {}
  template <class... T>
  void operator()(const T&... items) {
    (put(items), ...);
  }
  /// Numbers whose count the reader knows.
  template <class S>
  void block(std::span<S> numbers) {
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  }
  int version() const { return version_; }  ///< of the record's form
  std::string finish() && { return std::move(bytes_); }

 private:
  template <class T>
  void put(const T& item) {
    if constexpr (std::is_same_v<T, double>)
      put(std::bit_cast<std::uint64_t>(item));
    else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      number(static_cast<std::uint64_t>(item));
    else
      members(*this, item);
  }
  void number(std::uint64_t x) { block(std::span(&x, 1)); }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(const std::vector<T>& items) {
    put(items.size());
    if constexpr (std::is_floating_point_v<T>)
      block(std::span(items));
    else
      for (const T& item : items) put(item);
  }
  template <class T>
  void put(const std::optional<T>& item) {
    put(item.has_value());
    if (item) put(*item);
  }
  void put(const std::optional<base::Refusal>& refusal) { put(base::reason_of(refusal)); }
  template <class... T>
  void put(const std::variant<T...>& item) {
    put(item.index());
    std::visit([&](const auto& value) { put(value); }, item);
  }
  void put(std::monostate) {}
  void put(const Values& values);
  void put(const KeptArray& array);

  std::string bytes_;
  int version_;
};

/// Every function throws NotPacked.
class Reader {
 public:
  static constexpr bool reads = true;

  explicit Reader(std::string_view bytes, int version = 1) : rest_(bytes), version_(version) {}
  template <class... T>
  void operator()(T&... items) {
    (get(items), ...);
  }
  template <class S>
  void block(std::span<S> numbers) {
    const std::string_view bytes = take(numbers.size_bytes());
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  }
  int version() const { return version_; }  ///< of the record's form
  std::string_view rest() const { return rest_; }
  /// Nothing may be left.
  void finish() const;

 private:
  template <class T>
  void get(T& item) {
    if constexpr (std::is_enum_v<T>)
      item = static_cast<T>(number(static_cast<std::uint64_t>(T::last)));
    else if constexpr (std::is_same_v<T, bool>)
      item = number(1) == 1;
    else if constexpr (std::is_same_v<T, double>)
      item = std::bit_cast<double>(number());
    else if constexpr (std::is_same_v<T, int>)
      item = small_number();
    else if constexpr (std::is_integral_v<T>)
      item = static_cast<T>(number());
    else
      members(*this, item);
  }
  void get(std::string& text) { text = take(number()); }
  /// Grows with what is read, not with what is promised.
  template <class T>
  void get(std::vector<T>& items) {
    items.clear();
    if constexpr (std::is_floating_point_v<T>) {
      items.resize(count(sizeof(T)));
      block(std::span(items));
    } else {
      for (std::uint64_t left = std::is_class_v<T> && !std::is_same_v<T, std::string> ? count_of_named() : count(8);
           left > 0; --left)
        get(items.emplace_back());
    }
  }
  template <class T>
  void get(std::optional<T>& item) {
    item.reset();
    if (number(1) == 1) get(item.emplace());
  }
  void get(std::optional<base::Refusal>& refusal) {
    std::string reason;
    get(reason);
    refusal = base::refusal_of(std::move(reason));
  }
  template <class... T>
  void get(std::variant<T...>& item) {
    const std::uint64_t index = number(sizeof...(T) - 1);
    std::uint64_t kind = 0;
    ((index == kind++ ? get(item.template emplace<T>()) : void()), ...);
  }
  void get(std::monostate&) {}
  void get(Values& values);
  void get(KeptArray& array);

  std::string_view take(std::uint64_t size);
  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  int small_number();
  std::uint64_t count(std::size_t bytes_each);  // of items that follow, of so many bytes or more
  std::uint64_t count_of_named();               // of things with names of their own, which are looked up one by one

  std::string_view rest_;
  int version_;
};

/// The items one after another, without more.
template <class... T>
std::string bytes_of(const T&... items) {
  Writer writer;
  writer(items...);
  return std::move(writer).finish();
}
/// The same items, of all of these bytes. Throws NotPacked.
template <class... T>
void read_all(std::string_view bytes, T&... items) {
  Reader reader(bytes);
  reader(items...);
  reader.finish();
}

}  // namespace poslab::data
