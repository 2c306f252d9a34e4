// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/refusal.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/data/pack.hpp"

using namespace poslab;
using namespace poslab::data;

TEST_CASE("a refusal says who refuses and why") {
  const Refused refused("scheme \"rope\"", "the head width is odd");
  CHECK(refused.subject == "scheme \"rope\"");
  CHECK(refused.reason == "the head width is odd");
  CHECK(refused.what() == std::string("scheme \"rope\": the head width is odd"));
  CHECK(Refused("7 heads do not divide d_model").what() == std::string("7 heads do not divide d_model"));
}

TEST_CASE("a position out of range carries position and limits") {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto sentence = [](double position, const PositionLimits& limits) {
    CHECK_FALSE(limits.contain(position));
    const PositionOutOfRange error("toy", position, limits);
    CHECK((error.position == position || std::isnan(position)));
    CHECK(error.limits.highest == limits.highest);
    return std::string(error.what());
  };
  CHECK(sentence(6, {0, 5, true}) == "scheme \"toy\" serves positions 0 to 5, but position 6 is asked for");
  CHECK(sentence(-1, {0, infinity, true}) == "scheme \"toy\" serves positions from 0, but position -1 is asked for");
  CHECK(sentence(9, {-infinity, 5, true}) == "scheme \"toy\" serves positions up to 5, but position 9 is asked for");
  CHECK(sentence(0.5, {0, 5, true}) == "scheme \"toy\" serves whole positions only, but position 0.5 is asked for");
  CHECK(sentence(NAN, {}) == "scheme \"toy\" cannot serve the position nan");
  CHECK(sentence(infinity, {}) == "scheme \"toy\" cannot serve the position inf");
  CHECK(PositionLimits{0, 5, false}.contain(0.5));
  CHECK(PositionLimits{0, 5, true}.contain(5));
  CHECK(std::isnan(PositionOutOfRange("scheme \"toy\", encode", "too far").position));
}

TEST_CASE("a number that is not finite carries array, index and value") {
  const poslab::base::Error entry =
      not_finite("scheme \"toy\", bias: output", std::vector<std::int64_t>{1, 0, 3}, -INFINITY);
  CHECK(entry.kind == poslab::base::Error::Kind::numeric);
  CHECK(entry.what() ==
        std::string("scheme \"toy\", bias: output is -inf at [1, 0, 3]: every number must be finite here"));
  const poslab::base::Error elsewhere = not_finite("the position score", "some pair of positions", INFINITY);
  CHECK(elsewhere.what() ==
        std::string("the position score is inf at some pair of positions: every number must be finite here"));
}

TEST_CASE("bytes that are not packed say what is wrong with them") {
  const auto problem_of = [](const std::string& bytes) {
    try {
      unpack<Values>(bytes);
    } catch (const NotPacked& refused) {
      return refused.problem;
    }
    FAIL("taken");
    return NotPacked::Problem::changed;
  };
  std::string changed = pack(Values{{"a", 1.0}});
  changed.back() ^= 1;
  CHECK(problem_of("") == NotPacked::Problem::too_short);
  CHECK(problem_of(changed) == NotPacked::Problem::changed);
  CHECK(problem_of(pack(Cell{})) == NotPacked::Problem::other_kind);
  CHECK(NotPacked(NotPacked::Problem::name_twice, "a").what() ==
        std::string("a packed record has the name \"a\" twice"));
}
