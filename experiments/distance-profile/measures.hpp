// SPDX-License-Identifier: Apache-2.0
// The measures of distance-profile, most of them once for each kind of contents.
#pragma once

#include <tuple>

#include "poslab/experiment/joined.hpp"
#include "poslab/experiment/measure.hpp"
#include "sequence.hpp"

namespace poslab::experiments::distance_profile {

struct Distance {
  static constexpr Dimension dimension{
      .name = "distance",
      .unit = "position",
      .sentence = "m - n, how far the key lies before the query; on a grid the length of the offset, rounded",
      .within = [] { return std::vector<std::string>{"length"}; }};
};
struct Head {
  static constexpr Dimension dimension{.name = "head", .sentence = "the head's number, from 0", .within = [] {
                                         return std::vector<std::string>{"heads"};
                                       }};
};

/// What is measured of contents of one kind.
struct ProfileMeasures {
  Contents contents;
  const char* called;  ///< in a sentence: "all-ones"
  Measure<Distance> mean, deviation, change;
  Measure<Head, Distance> head_mean, head_deviation;
  Scalar fall, fall_error;  ///< the latter only of contents that are drawn
  Scalar monotonicity, first_rise, decay_length;
  Measure<Head> head_decay_length, head_fall;
  Scalar asymmetry;
};

/// The words that differ between the measures of one kind of contents and those of another.
template <Contents>
struct Kind;
template <>
struct Kind<Contents::random> {
  static constexpr Words suffix = "_random";
  static constexpr Words of = ", for independent random contents of queries and keys";
  static constexpr bool drawn = true;
  static constexpr const char *called = "random", *mean_null = "0 but for chance", *deviation_null = "1 but for chance";
};
template <>
struct Kind<Contents::equal> {
  static constexpr Words suffix = "_equal";
  static constexpr Words of = ", for keys that carry the query's own random content";
  static constexpr bool drawn = true;
  static constexpr const char *called = "equal", *mean_null = "about sqrt(K)", *deviation_null = "about sqrt(2)";
};
template <>
struct Kind<Contents::ones> {
  static constexpr Words suffix = "_ones";
  static constexpr Words of = ", for all-ones contents";
  static constexpr bool drawn = false;
  static constexpr const char *called = "all-ones", *mean_null = "sqrt(K)", *deviation_null = "0";
};

template <Contents C, Words name, Words sentence, class... D>
constexpr Measure<D...> measure(const char* unit, const char* definition, const char* null_value) {
  constexpr bool drawn = Kind<C>::drawn;
  // Mostly rounding of a sum of K products beside a bias; what is drawn is the same for the same draws.
  return {.name = joined<name, Kind<C>::suffix>,
          .unit = unit,
          .sentence = joined<sentence, Kind<C>::of>,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 4e-16, .statistical = drawn},
          .float32 = data::Tolerance{.absolute = 1e-5, .relative = 1e-5, .statistical = drawn}};
}

template <Contents C>
constexpr ProfileMeasures measures_of() {
  using K = Kind<C>;
  return {
      .contents = C,
      .called = K::called,
      .mean = measure<C, "mean", "mean logit at this distance over heads", Distance>(
          "sd", "mean over contents, heads and pairs with m - n = distance of s_h(x_m, y_n; m, n)", K::mean_null),
      .deviation = measure<C, "deviation", "standard deviation of the logits at this distance over heads", Distance>(
          "sd", "standard deviation over the same", K::deviation_null),
      .change = measure<C, "change",
                        "how far positions move the mean logit at this distance beside that of the own key", Distance>(
          "sd",
          "mean over the same of s_h(x_m, y_n; m, n) less the logit of the same contents without positions, less the "
          "same for n = m",
          "0"),
      .head_mean = measure<C, "head_mean", "mean logit of a head at this distance", Head, Distance>(
          "sd", "mean over contents and pairs with m - n = distance of s_h(x_m, y_n; m, n)", K::mean_null),
      .head_deviation =
          measure<C, "head_deviation", "standard deviation of a head's logits at this distance", Head, Distance>(
              "sd", "standard deviation over the same", K::deviation_null),
      .fall = measure<C, "fall", "how far the mean logit falls from distance 0 to the far ones">(
          "sd", "change(0) - mean of change(r) over the farther half of the distances; change(0) = 0", "0"),
      .fall_error = measure<C, "fall_error", "standard error of the fall, over the contents of one repeat">(
          "sd", "standard deviation of the contents' falls / sqrt(contents)", "0"),
      .monotonicity = measure<C, "monotonicity", "share of steps along which the mean logit does not rise">(
          "1", "share of r >= 0 with change(r + 1) <= change(r), but for rounding", "1"),
      .first_rise = measure<C, "first_rise", "distance from which the mean logit rises first">(
          "position", "least r >= 0 with change(r + 1) > change(r), but for rounding; NaN if there is none", "NaN"),
      .decay_length =
          measure<C, "decay_length", "distance from which on the mean logit has fallen by 1 (a weight of 1/e)">(
              "position", "least r > 0 with change(r') <= change(0) - 1 for all r' >= r; NaN if there is none", "NaN"),
      .head_decay_length =
          measure<C, "head_decay_length",
                  "distance from which on a head's mean logit has fallen by 1 (a weight of 1/e)", Head>(
              "position", "decay_length of the head's own change", "NaN"),
      .head_fall = measure<C, "head_fall", "how far a head's mean logit falls from distance 0 to the far ones", Head>(
          "sd", "fall of the head's own change", "0"),
      .asymmetry =
          measure<C, "asymmetry", "how far keys after the query and keys before it differ in their mean logit">(
              "sd", "rms over r > 0 of change(r) - change(-r); absent without keys after the query", "0")};
}

constexpr auto curves_in(const ProfileMeasures& of) {
  return std::tuple{of.mean, of.deviation, of.change, of.head_mean, of.head_deviation};
}
constexpr auto shapes_in(const ProfileMeasures& of) {
  return std::tuple{of.monotonicity, of.first_rise, of.decay_length, of.head_decay_length, of.head_fall, of.asymmetry};
}

}  // namespace poslab::experiments::distance_profile
