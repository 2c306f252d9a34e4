// SPDX-License-Identifier: Apache-2.0
// How members become bytes, byte for byte, and what is none.
#include "poslab/data/archive.hpp"

#include <optional>
#include <variant>

#include "catch.hpp"

using namespace poslab::data;

namespace {

std::string number(unsigned char x) { return std::string(1, static_cast<char>(x)) + std::string(7, '\0'); }

NotPacked::Problem problem_of(std::string_view bytes, auto item) {
  try {
    read_all(bytes, item);
  } catch (const NotPacked& refused) {
    return refused.problem;
  }
  FAIL("taken");
  return {};
}

struct Pair {
  int x = 0;
  std::string name;
};
template <class Archive, Of<Pair> T>
void members(Archive& archive, T& pair) {
  archive(pair.x, pair.name);
}

}  // namespace

TEST_CASE("archive: numbers have eight bytes, texts and lists begin with their length") {
  CHECK(bytes_of(std::uint64_t{3}, true, std::string("ab")) == number(3) + number(1) + number(2) + "ab");
  CHECK(bytes_of(-1) == std::string(8, '\xff'));
  CHECK(bytes_of(1.0) == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  CHECK(bytes_of(std::vector<double>{0, 1.0}) == number(2) + std::string(8, '\0') + bytes_of(1.0));
  CHECK(bytes_of(std::vector<std::string>{"a", ""}) == number(2) + number(1) + "a" + number(0));
  CHECK(bytes_of(std::optional<int>(), std::optional(7)) == number(0) + number(1) + number(7));
  CHECK(bytes_of(std::variant<int, bool>(true)) == number(1) + number(1));
  CHECK(bytes_of(std::vector<Pair>{{5, "x"}}) == number(1) + number(5) + number(1) + "x");
}

TEST_CASE("archive: what was written is read") {
  std::vector<Pair> pairs;
  std::optional<double> real = 3.0;
  std::variant<std::monostate, bool, std::vector<float>> one;
  read_all(bytes_of(std::vector<Pair>{{-5, "x"}, {7, ""}}, std::optional<double>(),
                    std::variant<std::monostate, bool, std::vector<float>>(std::vector<float>{1.5F})),
           pairs, real, one);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].x == -5);
  CHECK(pairs[0].name == "x");
  CHECK(!real);
  CHECK(std::get<std::vector<float>>(one) == std::vector<float>{1.5F});
}

TEST_CASE("archive: bytes that nothing was written as are refused") {
  using Problem = NotPacked::Problem;
  CHECK(problem_of("1234567", std::uint64_t{0}) == Problem::ends_too_soon);
  CHECK(problem_of(number(1) + "x", std::uint64_t{0}) == Problem::too_long);
  CHECK(problem_of(number(2), false) == Problem::out_of_range);
  CHECK(problem_of(number(3), std::variant<int, bool>()) == Problem::out_of_range);
  CHECK(problem_of(bytes_of(std::int64_t{1} << 40), 0) == Problem::out_of_range);
  CHECK(problem_of(bytes_of(~std::uint64_t{0}), std::string()) == Problem::ends_too_soon);
  CHECK(problem_of(bytes_of(~std::uint64_t{0}), std::vector<double>()) == Problem::ends_too_soon);
  CHECK(problem_of(number(2) + number(0) + number(0), std::vector<Pair>()) == Problem::ends_too_soon);
}
