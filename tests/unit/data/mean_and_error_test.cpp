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

TEST_CASE("values that are equal have no error, nor has one alone, none is NaN") {
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

TEST_CASE("in units of the last digit, with an exponent") {
  const auto text = [](double mean, double error) { return data::compact_text({3, mean, error}); };
  CHECK(text(1.81e7, 2e5) == "1.81(2)e+07");
  CHECK(text(1.8123e7, 1.2e5) == "1.812(12)e+07");
  CHECK(text(9.996e7, 3e5) == "1.000(3)e+08");  // rounding gives it another exponent
  CHECK(text(1.2e5, 3e7) == "0(3)e+07");
  CHECK(text(-1.2e6, 1.5e7) == "-0.1(15)e+07");
  CHECK(text(1e-9, 2e-7) == "0(2)e-07");
  CHECK(text(0, 4e-320) == "0(4)e-320");
}

namespace {

struct Parsed {
  double mean, error, unit;  // of the last digit of the mean
};

// What somebody reads in "-1.81(2)e+07", or "1230(60)".
Parsed read_compact(const std::string& text) {
  const std::size_t open = text.find('('), close = text.find(')'), point = text.find('.');
  const std::string digits = text.substr(0, open), exponent = text.substr(close + 1);
  const auto decimals = point < open ? static_cast<int>(open - point - 1) : 0;
  const long double power = exponent.empty() ? 1 : std::pow(10.0L, std::stoi(exponent.substr(1)));
  const long double unit = power * std::pow(10.0L, -decimals);
  return {static_cast<double>(std::stold(digits + exponent)),
          static_cast<double>(std::stold(text.substr(open + 1)) * unit), static_cast<double>(unit)};
}

Parsed read_plus_minus(const std::string& text) {
  const std::size_t sign = text.find(" ± ");
  const auto number = [](const std::string& of) { return static_cast<double>(std::stold(of)); };
  return {number(text.substr(0, sign)), number(text.substr(sign + std::string(" ± ").size())), 0};
}

}  // namespace

TEST_CASE("whatever their sizes, what is read is the mean and its error, to a tenth of the error") {
  std::vector<double> sizes{0, 5e-324, 1e-300, 4.44e-16, 1e150, 1.7e308};
  for (int exponent = -12; exponent <= 12; ++exponent)
    for (const double digits : {1.0, 1.9499, 1.96, 3.14159, 9.4, 9.96, 9.9999})
      sizes.push_back(digits * std::pow(10, exponent));
  std::size_t shown = 0;
  for (const double size : sizes)
    for (const double error : sizes)
      for (const double mean : {size, -size}) {
        const std::string compact = data::compact_text({3, mean, error}),
                          full = data::to_text(MeanAndError{3, mean, error});
        INFO(mean << " and " << error << ": " << compact << ", " << full);
        CHECK(compact.find("nan") == std::string::npos);
        CHECK(compact.size() <= 24);
        const double shown_to = std::max(1e-3 * std::abs(mean), 0.35 * error);  // three digits, or a half unit
        if (compact.find('(') == std::string::npos) {  // no error, or one that six digits do not show
          CHECK(error <= 1.96e-5 * std::abs(mean));
          CHECK(std::abs(static_cast<double>(std::stold(compact)) - mean) <= 1e-2 * std::abs(mean));
          continue;
        }
        ++shown;
        for (const Parsed& parsed : {read_compact(compact), read_plus_minus(full)}) {
          CHECK(std::abs(parsed.mean - mean) <= 0.51 * error);
          CHECK(std::abs(parsed.mean - mean) <= shown_to);
          CHECK(std::abs(parsed.error - error) <= 0.26 * error);
        }
        CHECK((full[0] != '-' || read_plus_minus(full).mean < 0));  // no "-0.0"
      }
  CHECK(shown > sizes.size() * sizes.size());
}

TEST_CASE("what is not finite is said, and hides nothing") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(data::to_text(MeanAndError{3, 1.5, infinite}) == "1.5 ± inf");
  CHECK(data::compact_text({3, 1.5, infinite}) == "1.5 ± inf");
  CHECK(data::to_text(MeanAndError{3, 1.5, NAN}) == "1.5");  // nobody knows it
  CHECK(data::compact_text({3, -infinite, NAN}) == "-inf");
  CHECK(data::to_text(MeanAndError{0, NAN, 0}) == "nan");
}

TEST_CASE("squares that no double holds are no error of 0, or an infinite one") {
  const data::MeanAndError large = data::mean_and_error({1e200, 2e200}), small = data::mean_and_error({1e-200, 2e-200});
  CHECK(std::abs(large.error / 5e199 - 1) < 1e-15);
  CHECK(std::abs(small.error / 5e-201 - 1) < 1e-15);
}

TEST_CASE("an interval has as many decimals as its nearer end asks for") {
  CHECK(data::interval_text(1.031, 0.953, 1.115) == "1.03 [0.95, 1.11]");
  CHECK(data::interval_text(0.0042, 0.0001, 0.15) == "0.004 [0.000, 0.150]");
  CHECK(data::interval_text(3e-8, 1e-8, 9e-8) == "3e-08 [1e-08, 9e-08]");
  CHECK(data::interval_text(18123456, 18103456, 18153456) == "1.812e+07 [1.810e+07, 1.815e+07]");
  CHECK(data::interval_text(1234567, 1234560, 1234580) == "1.23457e+06 [1.23456e+06, 1.23458e+06]");
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
