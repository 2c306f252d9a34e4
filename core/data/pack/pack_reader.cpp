// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <variant>

#include "pack/pack_bytes.hpp"
#include "poslab/base/hash.hpp"

namespace poslab::data {
namespace {

constexpr std::uint64_t most_names = 10000;

using Problem = NotPacked::Problem;

std::string sentence(Problem problem, const std::string& detail) {
  switch (problem) {
    case Problem::too_short: return "too short to be a packed record";
    case Problem::changed: return "the checksum of a packed record is wrong: it was changed or cut short";
    case Problem::other_kind: return "a packed record is of another kind";
    case Problem::other_version:
      return fmt::format("a packed record has version {}, this program reads {}", detail, int{extended_version});
    case Problem::ends_too_soon: return "a packed record ends too soon";
    case Problem::too_long: return "a packed record is longer than what it says";
    case Problem::out_of_range: return "a packed number is out of its range";
    case Problem::too_many_names: return "a packed record has too many names";
    case Problem::name_twice: return fmt::format("a packed record has the name \"{}\" twice", detail);
    case Problem::contradiction: return "a packed record contradicts itself: " + detail;
  }
  return "?";
}

}  // namespace

NotPacked::NotPacked(Problem problem_, const std::string& detail)
    : Error(sentence(problem_, detail)), problem(problem_) {}

PackReader::PackReader(std::string_view bytes, char letter, Extension extension) {
  if (bytes.size() < checksum_size + 2) throw NotPacked(Problem::too_short);
  rest_ = bytes.substr(checksum_size);
  if (base::sha256(rest_).compare(0, checksum_size, bytes.substr(0, checksum_size)) != 0)
    throw NotPacked(Problem::changed);
  if (rest_[0] != letter) throw NotPacked(Problem::other_kind);
  extended_ = extension == Extension::possible && rest_[1] == extended_version;
  if (!extended_ && rest_[1] != packed_version) throw NotPacked(Problem::other_version, std::to_string(rest_[1]));
  rest_.remove_prefix(2);
}

std::string_view PackReader::take(std::uint64_t size) {
  if (size > rest_.size()) throw NotPacked(Problem::ends_too_soon);
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
    throw NotPacked(Problem::out_of_range);
  return static_cast<int>(x);
}

bool PackReader::flag() { return one_of(std::uint64_t{1}) == 1; }

double PackReader::real() { return std::bit_cast<double>(number()); }

std::string PackReader::text() { return std::string(take(number())); }

std::uint64_t PackReader::count() {
  const std::uint64_t count = number();
  if (count > rest_.size() / sizeof(std::uint64_t)) throw NotPacked(Problem::ends_too_soon);
  return count;
}

std::uint64_t PackReader::count_of_named() {
  const std::uint64_t names = count();
  if (names > most_names) throw NotPacked(Problem::too_many_names);
  return names;
}

std::uint64_t PackReader::count_of_extension() {
  const std::uint64_t names = count_of_named();
  if (names == 0) throw NotPacked(Problem::contradiction, "it is extended by nothing");
  return names;
}

std::vector<double> PackReader::reals() {
  std::vector<double> items(count());
  const std::string_view bytes = take(items.size() * sizeof(double));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

KeptArray PackReader::array() {
  KeptArray array;
  array.name = text();
  array.shape = list<std::int64_t>([&] { return signed_number(); });
  const auto fill = [&](auto items) {
    const std::uint64_t size = number();
    if (size > rest_.size() / sizeof items[0]) throw NotPacked(Problem::ends_too_soon);
    items.resize(size);
    const std::string_view bytes = take(size * sizeof items[0]);
    if (size > 0) std::memcpy(items.data(), bytes.data(), bytes.size());
    array.values = std::move(items);
  };
  if (flag())
    fill(std::vector<float>());
  else
    fill(std::vector<double>());
  if (const std::string problem = why_not_kept(array); !problem.empty())
    throw NotPacked(Problem::contradiction, problem);
  return array;
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
    default: throw NotPacked(Problem::out_of_range);
  }
}

Values PackReader::values() {
  Values all;
  for (std::uint64_t left = count_of_named(); left > 0; --left) {
    const std::string name = text();
    if (all.contains(name)) throw NotPacked(Problem::name_twice, name);
    all.set(name, value());
  }
  return all;
}

void PackReader::finish() const {
  if (!rest_.empty()) throw NotPacked(Problem::too_long);
}

}  // namespace poslab::data
