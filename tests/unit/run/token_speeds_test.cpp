// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/token_speeds.hpp"

#include "catch.hpp"

using namespace poslab;
using namespace std::chrono_literals;

TEST_CASE("token speeds: over the time in which a cell trained in this run") {
  const run::TokenSpeeds::Clock::time_point start{};
  run::TokenSpeeds speeds;
  CHECK(speeds.empty());
  speeds.at(3, 51200, start);  // of an earlier run
  CHECK(speeds.to_json() == "{}");
  speeds.at(3, 61200, start + 5s);
  speeds.at(3, 71200, start + 10s);
  speeds.at(3, 71200, start + 60s);  // it evaluates
  speeds.at(7, 100, start);
  speeds.at(7, 9000, start + 1s);
  speeds.at(7, 10, start + 2s);  // begun again
  speeds.at(7, 40, start + 3s);
  CHECK(!speeds.empty());
  CHECK(speeds.to_json() == R"({"3":2000,"7":30})");
}
