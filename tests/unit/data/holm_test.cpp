// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/holm.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

void check_rates(const std::vector<double>& rates, const std::vector<double>& expected) {
  REQUIRE(rates.size() == expected.size());
  for (std::size_t i = 0; i < rates.size(); ++i) CHECK_THAT(rates[i], check::WithinRel(expected[i], 1e-14));
}

}  // namespace

TEST_CASE("Holm: the example of four p values, worked by hand") {
  // 0.01 <= 0.05/4 and 0.013 <= 0.05/3 are given; 0.03 > 0.05/2 stops, and 0.04, though below 0.05, is left.
  check_rates(data::holm_error_rates({0.03, 0.01, 0.04, 0.013}, 4), {0.05 / 2, 0.05 / 4, 0.05 / 2, 0.05 / 3});
}

TEST_CASE("Holm: a member that is not here counts as one whose answer is not given") {
  check_rates(data::holm_error_rates({0.01}, 4), {0.05 / 4});
  check_rates(data::holm_error_rates({0.01}, 1), {0.05});
  check_rates(data::holm_error_rates({0.02, 0.01}, 4), {0.05 / 3, 0.05 / 4});  // 0.02 > 0.05/3
  check_rates(data::holm_error_rates({1, 1, 1}, 0), {0.05 / 3, 0.05 / 3, 0.05 / 3});
  CHECK(data::holm_error_rates({}, 7).empty());
}

TEST_CASE("Holm: what is sure whatever is drawn takes nothing from the others") {
  check_rates(data::holm_error_rates({0, 0.02, 0}, 3), {0.05 / 3, 0.05, 0.05 / 2});
}
