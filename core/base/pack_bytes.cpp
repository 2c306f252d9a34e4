// SPDX-License-Identifier: Apache-2.0
#include "pack_bytes.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "poslab/base/hash.hpp"

namespace poslab::base {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr char version = 1;
constexpr std::size_t checksum_size = 16;  // hex digits
constexpr std::uint64_t most_names = 10000;

}  // namespace

PackWriter::PackWriter(char letter) : bytes_{letter, version} {}

void PackWriter::number(std::uint64_t x) { bytes_.append(reinterpret_cast<const char*>(&x), sizeof x); }

void PackWriter::real(double x) { number(std::bit_cast<std::uint64_t>(x)); }

void PackWriter::text(const std::string& text) {
  number(text.size());
  bytes_ += text;
}

void PackWriter::reals(const std::vector<double>& items) {
  number(items.size());
  bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(double));
}

void PackWriter::texts(const std::vector<std::string>& items) {
  list(items, [&](const std::string& item) { text(item); });
}

void PackWriter::value(const Value& value) {
  number(value.index());
  std::visit(
      [&](const auto& x) {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, bool>) flag(x);
        if constexpr (std::is_same_v<X, std::int64_t>) signed_number(x);
        if constexpr (std::is_same_v<X, double>) real(x);
        if constexpr (std::is_same_v<X, std::string>) text(x);
        if constexpr (std::is_same_v<X, std::vector<double>>) reals(x);
      },
      value);
}

void PackWriter::values(const Values& values) {
  number(values.size());
  for (const auto& [name, value_of] : values) text(name), value(value_of);
}

std::string PackWriter::finish() const { return sha256(bytes_).substr(0, checksum_size) + bytes_; }

PackReader::PackReader(std::string_view bytes, char letter) {
  if (bytes.size() < checksum_size + 2) throw NotPacked("too short to be a packed record");
  rest_ = bytes.substr(checksum_size);
  if (sha256(rest_).compare(0, checksum_size, bytes.substr(0, checksum_size)) != 0)
    throw NotPacked("the checksum of a packed record is wrong: it was changed or cut short");
  if (rest_[0] != letter) throw NotPacked("a packed record is of another kind");
  if (rest_[1] != version)
    throw NotPacked("a packed record has version " + std::to_string(rest_[1]) + ", this program reads " +
                    std::to_string(version));
  rest_.remove_prefix(2);
}

std::string_view PackReader::take(std::uint64_t size) {
  if (size > rest_.size()) throw NotPacked("a packed record ends too soon");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t PackReader::number() {
  std::uint64_t x = 0;
  std::memcpy(&x, take(sizeof x).data(), sizeof x);
  return x;
}

int PackReader::small_number() {
  const std::int64_t x = signed_number();
  if (x < std::numeric_limits<int>::min() || x > std::numeric_limits<int>::max())
    throw NotPacked("a packed number is out of its range");
  return static_cast<int>(x);
}

bool PackReader::flag() { return one_of(std::uint64_t{1}) == 1; }

double PackReader::real() { return std::bit_cast<double>(number()); }

std::string PackReader::text() { return std::string(take(number())); }

std::uint64_t PackReader::count() {
  const std::uint64_t count = number();
  if (count > rest_.size() / sizeof(std::uint64_t)) throw NotPacked("a packed record ends too soon");
  return count;
}

std::uint64_t PackReader::count_of_named() {
  const std::uint64_t names = count();
  if (names > most_names) throw NotPacked("a packed record has too many names");
  return names;
}

std::vector<double> PackReader::reals() {
  std::vector<double> items(count());
  const std::string_view bytes = take(items.size() * sizeof(double));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

std::vector<std::string> PackReader::texts() {
  return list<std::string>([&] { return text(); });
}

Value PackReader::value() {
  switch (number()) {
    case 0: return std::monostate{};
    case 1: return flag();
    case 2: return signed_number();
    case 3: return real();
    case 4: return text();
    case 5: return reals();
    default: throw NotPacked("a packed value is of an unknown kind");
  }
}

Values PackReader::values() {
  Values all;
  for (std::uint64_t left = count_of_named(); left > 0; --left) {
    const std::string name = text();
    if (all.contains(name)) throw NotPacked("a packed record has the name \"" + name + "\" twice");
    all.set(name, value());
  }
  return all;
}

void PackReader::finish() const {
  if (!rest_.empty()) throw NotPacked("a packed record is longer than what it says");
}

}  // namespace poslab::base
