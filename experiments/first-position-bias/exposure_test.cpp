// SPDX-License-Identifier: Apache-2.0
// Training exposure: updates of each position, expected, drawn and counted one by one.
// Dimension letters: N longest sequence.
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "exposure.hpp"
#include "poslab/base/random.hpp"

using namespace poslab;
using namespace poslab::experiments::first_position_bias;

TEST_CASE("first-position-bias: exposure, expected and drawn") {
  const Index N = 40, sequences = 100000;
  const base::Stream stream("exposure");
  for (const auto distribution : {Lengths::Distribution::uniform, Lengths::Distribution::log_normal}) {
    CAPTURE(static_cast<int>(distribution));
    const Lengths lengths(distribution, N);
    const std::vector<double> expected = expected_updates(lengths, N, sequences),
                              drawn = drawn_updates(lengths, N, sequences, stream);
    CHECK(expected[0] == sequences);
    CHECK(drawn[0] == sequences);
    for (std::size_t p = 0; p < 40; ++p) {
      if (p > 0) CHECK(drawn[p] <= drawn[p - 1]);
      const double chance = expected[p] / sequences, deviation = std::sqrt(sequences * chance * (1 - chance));
      CHECK_THAT(drawn[p], check::WithinAbs(expected[p], 5 * deviation + 1e-9));
    }
  }
  CHECK(expected_updates(Lengths(Lengths::Distribution::uniform, 4), 4, 8) == std::vector<double>{8, 6, 4, 2});
  CHECK_THAT(Lengths(Lengths::Distribution::log_normal, N).chance_beyond(10),
             check::WithinAbs(0.5, 1e-15));  // its median is N / 4
  CHECK_THAT(Lengths(Lengths::Distribution::log_normal, N).chance_beyond(20),
             check::WithinAbs(0.24410859578, 1e-9));  // 1 - Phi(log 2)
  // By counting one by one.
  const Lengths lengths(Lengths::Distribution::log_normal, N);
  const std::vector<double> drawn = drawn_updates(lengths, N, 500, stream);
  for (Index p = 0; p < N; ++p) {
    double longer = 0;
    for (std::uint64_t i = 0; i < 500; ++i) longer += lengths.draw(stream, i) > p;
    CHECK(drawn[static_cast<std::size_t>(p)] == longer);
  }
}
