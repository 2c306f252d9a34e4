// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/summary_rows.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace poslab;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

data::MeanAndError mean_of(const std::vector<double>& values) {
  std::vector<run::OutcomeSummary> repeats;
  for (const double value : values) repeats.push_back({data::Status::ok, "", {value}, {}});
  run::OutcomeSummary failed;
  failed.status = data::Status::failed;
  repeats.push_back(failed);
  run::SummaryRow row{nullptr, {}};
  for (const run::OutcomeSummary& repeat : repeats) row.outcomes.push_back(&repeat);
  return run::mean_and_error(row, 0);
}

}  // namespace

TEST_CASE("mean and standard error of 1, 2, 3, of equals, of infinities, of nothing") {
  const data::MeanAndError three = mean_of({1, 2, std::numeric_limits<double>::quiet_NaN(), 3});
  CHECK(three.values == 3);
  CHECK(three.mean == check::Approx(2));
  CHECK(three.error == check::Approx(1 / std::sqrt(3.0)));
  CHECK(mean_of({0.1, 0.1, 0.1}).mean == 0.1);  // to the last bit
  CHECK(mean_of({0.1, 0.1, 0.1}).error == 0);
  CHECK(mean_of({infinity, infinity}).mean == infinity);
  CHECK(mean_of({infinity, infinity}).error == 0);
  CHECK(mean_of({infinity, -infinity}).values == 2);
  CHECK(mean_of({}).values == 0);
  CHECK(std::isnan(mean_of({}).mean));
}
