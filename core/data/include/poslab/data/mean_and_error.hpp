// SPDX-License-Identifier: Apache-2.0
// A mean over repeats with its standard error, and how it is written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace poslab::data {

struct MeanAndError {
  std::size_t values = 0;  ///< how many there were
  double mean = 0;         ///< NaN without values
  double error = 0;        ///< standard error of the mean; 0 where all are equal, as a single value is
};

/// Mean and standard error of the values that are not NaN.
MeanAndError mean_and_error(const std::vector<double>& values);

/// Whether the mean can be told from `from`: farther than chance would put it in 19 of 20 cases, by Student's t of as
/// many values (2.3 errors of ten, 2.8 of five, never less than 2). Not of one value, whose error is unknown.
bool differs_from(const MeanAndError& value, double from);

/// How many errors around a mean 19 of 20 draws of as many values lie, by Student's t; infinite for one value.
double errors_around(std::size_t values);

/// "1.42 ± 0.03": the error with one digit (two if the first is 1), the mean with as many decimals as that, and six
/// digits at most; both with an exponent of their own where zeros would fill the line. Without an error, or with one
/// that rounding of the mean hides, `digits` significant digits. An infinite error is written.
std::string to_text(const MeanAndError& value, int digits = 3);

/// The same with the error in units of the last digit: "1.42(3)". Where there is an exponent it is that of the larger:
/// "1.81(2)e+07", "0.1(20)e+07". Before the point units are written out: "1230(60)".
std::string compact_text(const MeanAndError& value, int digits = 3);

/// "1.03 [0.95, 1.11]": each with digits down to those of the distance from the mean to its nearer end. Where six
/// digits do not show that, with six.
std::string interval_text(double value, double low, double high);

}  // namespace poslab::data
