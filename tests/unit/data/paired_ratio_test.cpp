// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/paired_ratio.hpp"

#include <cmath>

#include "catch.hpp"
#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"
#include "thrown.hpp"

using namespace poslab;
using data::PairedRatio;

TEST_CASE("Student's t: tabled quantiles") {
  CHECK_THAT(data::student_quantile(0.05, 2), check::WithinAbs(12.706, 5e-4));
  CHECK_THAT(data::student_quantile(0.05, 10), check::WithinAbs(2.262, 5e-4));
  CHECK_THAT(data::student_quantile(0.01, 11), check::WithinAbs(3.169, 5e-4));
  CHECK_THAT(data::student_quantile(0.05, 100001), check::WithinAbs(1.960, 5e-4));
  CHECK(std::isinf(data::student_quantile(0.05, 1)));
}

TEST_CASE("a ratio of means is not the mean of ratios, and its interval is that of the t test of differences") {
  const std::vector<double> above{2, 3, 7, 4}, below{1, 3, 4, 2};
  const PairedRatio ratio(above, below);
  CHECK_THAT(ratio.ratio(), check::WithinRel(1.6, 1e-14));
  CHECK_THAT(ratio.log_ratio(), check::WithinAbs(std::log(1.6), 1e-14));
  const PairedRatio::Interval interval = ratio.interval(0.1);
  for (const double end : {interval.low, interval.high}) {
    // The differences at an end, by themselves: their mean is as many errors from 0 as the quantile says.
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < 4; ++i) mean += (above[i] - end * below[i]) / 4;
    for (std::size_t i = 0; i < 4; ++i) squares += std::pow(above[i] - end * below[i] - mean, 2);
    CHECK_THAT(std::abs(mean) / std::sqrt(squares / 3 / 4), check::WithinRel(2.353363, 1e-6));
    CHECK_THAT(ratio.chance_of(end), check::WithinRel(0.1, 1e-9));
  }
  CHECK_THAT(ratio.chance_of(1.6), check::WithinAbs(1, 1e-9));
  CHECK(ratio.chance_of(interval.high * 1.01) < 0.1);
  CHECK(ratio.chance_of(interval.high * 0.99) > 0.1);
}

TEST_CASE("a ratio of means: one pair, constants, sizes that doubles hardly hold") {
  CHECK(PairedRatio({1}, {2}).chance_of(1) == 1);
  CHECK(std::isinf(PairedRatio({1}, {2}).interval(0.05).high));
  const PairedRatio constant({3, 3, 3}, {2, 2, 2});
  CHECK(constant.chance_of(1.01) == 0);
  CHECK(constant.chance_of(1.5) == 1);
  CHECK(constant.interval(0.001).low == 1.5);
  const PairedRatio same({0.19, 0.21, 0.2}, {0.19, 0.21, 0.2});
  CHECK(same.chance_of(1) == 1);
  CHECK(same.chance_of(1.01) < 0.05);
  const PairedRatio tiny({1e-200, 3e-200, 2e-200}, {0.1, 0.3, 0.2});
  CHECK_THAT(tiny.ratio(), check::WithinRel(1e-199, 1e-12));
  CHECK(tiny.chance_of(0.99) == PairedRatio({0, 0, 0}, {0.1, 0.3, 0.2}).chance_of(0.99));
  CHECK(PairedRatio({0, 0, 0}, {0.1, 0.3, 0.2}).ratio() == 0);
  const PairedRatio least({5e-324, 5e-324}, {0.25, 0.25});  // 0.99 has no number in that unit
  CHECK(least.chance_of(0.99) == 0);
  CHECK_THAT(least.log_ratio(), check::WithinAbs(std::log(5e-324) - std::log(0.25), 1e-9));
  CHECK(std::isinf(PairedRatio({1, 1, 1}, {0, 0, 1}).interval(0.05).high));  // a denominator that may be 0
  CHECK(check::thrown([] { PairedRatio({}, {}); }).kind == base::Error::Kind::internal);
  CHECK(check::thrown([] { PairedRatio({1}, {0}); }).kind == base::Error::Kind::internal);
  CHECK(check::thrown([] { PairedRatio({NAN}, {1}); }).kind == base::Error::Kind::internal);
}

// Independent noise in numerator and denominator, of the same law: 1 is left out as often as is asked for, whereas the
// mean of logarithms of pairs whose numerators alone are noisy is not 0.
TEST_CASE("a ratio of means leaves out the truth no more often than it may") {
  const base::Stream stream("paired ratio");
  constexpr std::size_t pairs = 50, seeds = 2000;
  std::size_t missed = 0, missed_by_logs = 0;
  base::Array<double> normals{base::Index{2 * pairs * seeds}};
  stream.fill_normal(normals);
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    std::vector<double> above, below;
    double log_mean = 0, log_squares = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const double* normal = normals.data() + 2 * (seed * pairs + i);
      // Both have mean 1: the first has more noise.
      above.push_back(std::exp(0.3 * normal[0] - 0.3 * 0.3 / 2)),
          below.push_back(std::exp(0.1 * normal[1] - 0.1 * 0.1 / 2));
      const double log = std::log(above.back() / below.back());
      log_mean += log / pairs, log_squares += log * log / pairs;
    }
    missed += PairedRatio(above, below).chance_of(1) <= 0.05;
    missed_by_logs += std::abs(log_mean) > 2.01 * std::sqrt((log_squares - log_mean * log_mean) / (pairs - 1));
  }
  // 100 of 2000 are expected, with an error of 10.
  CHECK(missed < 140);
  CHECK(missed > 60);
  CHECK(missed_by_logs > 200);
}
