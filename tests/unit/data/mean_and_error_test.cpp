// SPDX-License-Identifier: Apache-2.0
// Means over repeats, and digits that follow the error.
#include "poslab/data/mean_and_error.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace poslab;
using data::MeanAndError;

TEST_CASE("the standard error of a mean: s / sqrt(n)") {
  const MeanAndError value = data::mean_and_error({1, 2, 3, NAN});
  CHECK(value.values == 3);
  CHECK(value.mean == 2);
  CHECK(std::abs(value.error - 1 / std::sqrt(3.0)) < 1e-15);
}

TEST_CASE("values that are equal have no error, nor has one alone; none is NaN") {
  CHECK(data::mean_and_error({0.1, 0.1, 0.1}).error == 0);
  CHECK(data::mean_and_error({0.1, 0.1, 0.1}).mean == 0.1);
  CHECK(data::mean_and_error({5}).error == 0);
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(data::mean_and_error({infinite, infinite}).mean == infinite);
  CHECK(data::mean_and_error({NAN}).values == 0);
  CHECK(std::isnan(data::mean_and_error({}).mean));
}

TEST_CASE("digits follow the error") {
  const auto text = [](double mean, double error) { return data::to_text(MeanAndError{3, mean, error}); };
  CHECK(text(1.41421, 0.0312) == "1.41 ± 0.03");
  CHECK(text(1.41421, 0.0151) == "1.414 ± 0.015");  // an error that begins with 1 has two digits
  CHECK(text(-0.05, 0.5) == "-0.1 ± 0.5");
  CHECK(text(1234.5, 56) == "1230 ± 60");
  CHECK(text(2, 3) == "2 ± 3");
  CHECK(text(3.2e-7, 4.1e-9) == "3.20e-07 ± 4e-09");
  CHECK(text(1e-7, 2e-6) == "1e-07 ± 2e-06");
  CHECK(text(1.00044, 4e-5) == "1.00044 ± 0.00004");
  CHECK(text(1.52e6, 2.2e4) == "1.52e+06 ± 2e+04");
}

TEST_CASE("six digits at most: an error that they do not show is left out") {
  const auto text = [](double mean, double error) { return data::to_text(MeanAndError{3, mean, error}); };
  CHECK(text(1.0000443, 4e-7) == "1.00004");
  CHECK(text(2.5298221344e-10, 4e-20) == "2.52982e-10");
  CHECK(text(1.234567e6, 3) == "1.23457e+06");
}

TEST_CASE("in units of the last digit") {
  const auto text = [](double mean, double error) { return data::compact_text({3, mean, error}); };
  CHECK(text(1.4232, 0.0031) == "1.423(3)");
  CHECK(text(-0.08, 0.11) == "-0.08(11)");
  CHECK(text(1234.5, 56) == "1230(60)");
  CHECK(text(3.2e-7, 4.1e-9) == "3.20(4)e-07");
  CHECK(text(241.4, 1.7) == "241.4(17)");
  CHECK(text(256, 0) == "256");
}

TEST_CASE("an interval has as many decimals as its nearer end asks for") {
  CHECK(data::interval_text(1.031, 0.953, 1.115) == "1.03 [0.95, 1.11]");
  CHECK(data::interval_text(0.0042, 0.0001, 0.15) == "0.004 [0.000, 0.150]");
  CHECK(data::interval_text(3e-8, 1e-8, 9e-8) == "3e-08 [1e-08, 9e-08]");
}

TEST_CASE("without an error some digits stand") {
  CHECK(data::to_text(MeanAndError{1, 0.123456, 0}) == "0.123");
  CHECK(data::to_text(MeanAndError{1, 256, 0}) == "256");
  CHECK(data::to_text(MeanAndError{3, 0.0902109795, 1.1e-17}) == "0.0902");  // an error of sums alone
  CHECK(data::to_text(MeanAndError{1, 1e-13, 0}, 1) == "1e-13");
}

TEST_CASE("a mean can be told from a value where Student's t allows it") {
  CHECK(data::differs_from({10, 0.24, 0.1}, 0));
  CHECK_FALSE(data::differs_from({10, 0.22, 0.1}, 0));
  CHECK_FALSE(data::differs_from({5, 0.27, 0.1}, 0));  // two errors and a half of five values are no finding
  CHECK(data::differs_from({5, 0.28, 0.1}, 0));
  CHECK_FALSE(data::differs_from({2, 1.2, 0.1}, 0));
  CHECK(data::differs_from({2, 1.3, 0.1}, 0));
  CHECK(data::differs_from({1000, -0.21, 0.1}, 0));
  CHECK_FALSE(data::differs_from({1000, 0.19, 0.1}, 0));
  CHECK(data::differs_from({10, 1, 0.1}, 0.5));
  CHECK_FALSE(data::differs_from({10, 1, 0.1}, 0.9));
  CHECK_FALSE(data::differs_from({1, 1, 0}, 0));  // one value has no error
  CHECK(data::differs_from({3, 1, 0}, 0));
}
