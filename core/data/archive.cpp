// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/archive.hpp"

#include <fmt/format.h>

namespace poslab::data {
namespace {

constexpr std::uint64_t max_names = 10000;

using Problem = NotPacked::Problem;

std::string sentence(Problem problem, const std::string& detail) {
  switch (problem) {
    case Problem::too_short: return "too short to be a packed record";
    case Problem::changed: return "the checksum of a packed record is wrong: it was changed or cut short";
    case Problem::other_kind: return "a packed record is of another kind";
    case Problem::other_version: return fmt::format("a packed record has version {}", detail);
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
    : Error(Kind::damaged, sentence(problem_, detail)), problem(problem_) {}

void Writer::put(const Values& values) {
  put(values.size());
  for (const auto& [name, value] : values) put(name), put(value);
}

void Writer::put(const KeptArray& array) { put(array.name), put(array.shape), put(array.values); }

void Reader::get(Values& values) {
  values = {};
  for (std::uint64_t left = count_of_named(); left > 0; --left) {
    std::string name;
    Value value;
    get(name), get(value);
    if (values.contains(name)) throw NotPacked(Problem::name_twice, name);
    values.set(name, std::move(value));
  }
}

void Reader::get(KeptArray& array) {
  get(array.name), get(array.shape), get(array.values);
  if (const auto refusal = why_not_kept(array)) throw NotPacked(Problem::contradiction, refusal->reason);
}

std::string_view Reader::take(std::uint64_t size) {
  if (size > rest_.size()) throw NotPacked(Problem::ends_too_soon);
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t Reader::number(std::uint64_t most) {
  std::uint64_t x = 0;
  block(std::span(&x, 1));
  if (x > most) throw NotPacked(Problem::out_of_range);
  return x;
}

int Reader::small_number() {
  const auto x = static_cast<std::int64_t>(number());
  if (x < std::numeric_limits<int>::min() || x > std::numeric_limits<int>::max())
    throw NotPacked(Problem::out_of_range);
  return static_cast<int>(x);
}

std::uint64_t Reader::count(std::size_t bytes_each) {
  const std::uint64_t promised = number();
  if (promised > rest_.size() / bytes_each) throw NotPacked(Problem::ends_too_soon);
  return promised;
}

std::uint64_t Reader::count_of_named() {
  const std::uint64_t names = count(8);
  if (names > max_names) throw NotPacked(Problem::too_many_names);
  return names;
}

void Reader::finish() const {
  if (!rest_.empty()) throw NotPacked(Problem::too_long);
}

}  // namespace poslab::data
