// SPDX-License-Identifier: Apache-2.0
// Every way to write the values of an axis.
#include "catch.hpp"
#include "fake_catalogue.hpp"

namespace {

std::string all(const std::vector<poslab::study::AxisValues>& axes, const std::string& name) {
  std::string text;
  for (const auto& axis : axes)
    if (axis.name == name)
      for (const auto& value : axis.values) text += (text.empty() ? "" : " ") + poslab::data::to_text(value);
  return text;
}

// The values of uniqueness's integer axis `length`.
std::string lengths(const std::string& form) {
  return all(fake::parse(fake::study_with("axes = { length = " + form + " }")).experiments[0].axes, "length");
}

// The values of rope's real parameter `base`.
std::string bases(const std::string& form) {
  std::string text = fake::study_with("");
  text.insert(text.find("[[experiment]]"), "axes = { base = " + form + " }\n");
  return all(fake::parse(text).schemes[0].axes, "base");
}

// The values of relative-shift's inner axis `shift`.
std::string shifts(const std::string& form) {
  const std::string more = "[[experiment]]\nuse = 'relative-shift'\naxes = { shift = " + form + " }";
  return all(fake::parse(fake::study_with(more)).experiments[1].axes, "shift");
}

std::string mistake(const std::string& form) {
  return fake::mistakes(fake::study_with("axes = { length = " + form + " }"));
}

}  // namespace

TEST_CASE("lists and single values") {
  REQUIRE(lengths("[128, 7, 0x10, 1_000]") == "128 7 16 1000");
  REQUIRE(lengths("64") == "64");
  REQUIRE(bases("[1e4, 500000, 2.5]") == "10000.0 500000.0 2.5");
  REQUIRE(bases("3") == "3.0");
}

TEST_CASE("range includes its end when it is hit, and keeps integers") {
  REQUIRE(lengths("{ range = [1, 10, 3] }") == "1 4 7 10");
  REQUIRE(lengths("{ range = [1, 9, 3] }") == "1 4 7");
  REQUIRE(lengths("{ range = [5, 5, 1] }") == "5");
  REQUIRE(bases("{ range = [1.1, 1.5, 0.1] }") == "1.1 1.2 1.3 1.4 1.5");
  REQUIRE(bases("{ range = [1.1, 1.3000000000000003, 0.1] }") == "1.1 1.2 1.3000000000000003");  // the end as written
  REQUIRE(bases("{ range = [2, 3, 0.3] }") == "2.0 2.3 2.6 2.9");
  REQUIRE(bases("{ range = [2, 4, 1] }") == "2.0 3.0 4.0");
}

TEST_CASE("linspace and logspace include both ends") {
  REQUIRE(bases("{ linspace = [2, 3, 5] }") == "2.0 2.25 2.5 2.75 3.0");
  REQUIRE(bases("{ linspace = [2, 3, 4] }") == "2.0 2.33333333333333 2.66666666666667 3.0");
  REQUIRE(bases("{ linspace = [2, 2, 1] }") == "2.0");
  REQUIRE(lengths("{ linspace = [128, 512, 4] }") == "128 256 384 512");
  REQUIRE(bases("{ logspace = [10, 1e5, 5] }") == "10.0 100.0 1000.0 10000.0 100000.0");
  REQUIRE(bases("{ logspace = [10, 1000, 5] }") == "10.0 31.6227766016838 100.0 316.227766016838 1000.0");
  REQUIRE(lengths("{ logspace = [16, 4096, 9] }") == "16 32 64 128 256 512 1024 2048 4096");
  REQUIRE(lengths("{ logspace = [10, 1000, 5] }") == "10 32 100 316 1000");  // an integer axis rounds
}

TEST_CASE("pow2 gives powers of two, integers where they are") {
  REQUIRE(lengths("{ pow2 = [7, 12] }") == "128 256 512 1024 2048 4096");
  REQUIRE(bases("{ pow2 = [1, 2] }") == "2.0 4.0");
  REQUIRE(shifts("{ pow2 = [-2, 1] }") == "[0.25, 0.5, 1, 2]");
}

TEST_CASE("an inner axis takes its list whole, in rising order") {
  REQUIRE(shifts("[8, 1, 0.5]") == "[0.5, 1, 8]");
  REQUIRE(shifts("4") == "[4]");
  REQUIRE(shifts("[-0.0, 1]") == "[0, 1]");
  REQUIRE(shifts("{ range = [0, 4, 2] }") == "[0, 2, 4]");
  REQUIRE(all(fake::parse(fake::study_with("[[experiment]]\nuse = 'relative-shift'")).experiments[1].axes, "shift") ==
          "[1, 8]");
}

TEST_CASE("an axis of lists") {
  std::string text = fake::study_with("");
  text.insert(text.find("[[experiment]]"), "axes = { factors = [[1, 2], [3, 4.5]] }\n");
  REQUIRE(all(fake::parse(text).schemes[0].axes, "factors") == "[1, 2] [3, 4.5]");
}

TEST_CASE("forms that give no values") {
  REQUIRE(mistake("{ rnge = [1, 2, 3] }") ==
          "study.toml:10:21: \"rnge\" is not a form of values; did you mean \"range\"?");
  REQUIRE(mistake("{ x = 1 }") ==
          "study.toml:10:21: \"x\" is not a form of values; the forms are range, linspace, logspace and pow2");
  REQUIRE(mistake("{ }") ==
          "study.toml:10:19: \"length\" is a table of 0 keys, but values by rule have one of range, linspace, logspace "
          "and pow2");
  REQUIRE(mistake("{ range = 4 }") ==
          "study.toml:10:29: this form is written range = [lowest, highest, step] with 3 numbers");
  REQUIRE(mistake("{ range = [1, 4] }") ==
          "study.toml:10:29: this form is written range = [lowest, highest, step] with 3 numbers");
  REQUIRE(mistake("{ pow2 = [1, nan] }") ==
          "study.toml:10:28: this form is written pow2 = [first exponent, last exponent] with 2 numbers");
  REQUIRE(mistake("{ range = [1, 4, 0] }") == "study.toml:10:29: range: the step must be greater than 0");
  REQUIRE(mistake("{ range = [4, 1, 1] }") == "study.toml:10:29: range: the second number is less than the first");
  REQUIRE(mistake("{ range = [1, 2, 1e-300] }") == "study.toml:10:29: range: that is more than 1000000 values");
  REQUIRE(mistake("{ range = [-1e300, 1e300, 1e-300] }") ==
          "study.toml:10:29: range: that is more than 1000000 values");
  REQUIRE(mistake("{ linspace = [1, 2, 1e7] }") == "study.toml:10:32: linspace: that is more than 1000000 values");
  REQUIRE(mistake("{ linspace = [1, 2, 0] }") ==
          "study.toml:10:32: linspace: the third number is a count: an integer, at least 1");
  REQUIRE(mistake("{ linspace = [1e299, 1e300, 2] }") == "study.toml:10:32: linspace: integers reach to 2^53 at most");
  REQUIRE(
      mistake("{ logspace = [0, 2, 3] }") ==
      "study.toml:10:32: logspace: it goes from one number greater than 0 to another (not from exponent to exponent)");
  REQUIRE(mistake("{ pow2 = [1, 2000] }") == "study.toml:10:28: pow2: its exponents are integers from -1000 to 1000");
  REQUIRE(mistake("{ pow2 = [3, 1] }") == "study.toml:10:28: pow2: the second number is less than the first");
}

TEST_CASE("values by rule are checked like written ones, with one message") {
  REQUIRE(mistake("{ range = [-10000, 0, 1] }") ==
          "study.toml:10:19: \"length\" is -10000, but must be from 1 to 65536");
  REQUIRE(mistake("{ range = [1, 3, 0.5] }") == "study.toml:10:19: \"length\" is 1.5, but must be an integer");
  REQUIRE(mistake("{ range = [1.0, 3, 1] }") == "study.toml:10:19: \"length\" is 1.0, but must be an integer; write 1");
  REQUIRE(mistake("{ linspace = [1, 3, 9] }") == "study.toml:10:19: \"length\" has 1 twice");
}

TEST_CASE("values by rule of which some do not fit: the first that does not is blamed, and what fits is told") {
  const std::string far = mistake("{ pow2 = [7, 70] }");
  CHECK_THAT(far, check::contains("\"length\" is 131072, but must be from 1 to 65536"));
  CHECK_THAT(far, check::contains("64 values of this pow2") && check::contains("10 fit: 128 to 65536"));
  CHECK_THAT(far, !check::contains("is 128"));
  const std::string beyond = fake::mistakes(
      fake::study_with("axes = { d_model = 64, length = 8 }\n[[experiment]]\nuse = 'extrapolation'\naxes = { "
                       "train_length = { pow2 = [60, 70] } }"));
  CHECK_THAT(beyond, check::contains("is 9.223372036854775808e+18") || check::contains("is 9.223372036854776e+18"));
  CHECK_THAT(beyond, check::contains("end at 2^63") && check::contains("3 fit: 1152921504606846976 to "));
  CHECK_THAT(mistake("{ range = [0, 4, 1] }"), check::contains("\"length\" is 0,") && check::contains("4 fit: 1 to 4"));
  CHECK_THAT(mistake("{ pow2 = [-2, 1] }"), check::contains("\"length\" is 0.25, but must be an integer"));
  CHECK(bases("{ pow2 = [1, 60] }").ends_with("e+18"));  // exact, though above 2^53
}
