// SPDX-License-Identifier: Apache-2.0
// Is the base of a scheme's angles large enough for this length, by which bound? Definitions: base-bounds.md.
#pragma once

#include <tuple>

#include "closed_forms.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::base_bounds {

using base::Index;

struct BaseBounds final : Definition {
  static constexpr About about{
      .id = "base-bounds",
      .version = "1.3",
      .title = "Bounds of a base",
      .question = "Is the base of a scheme's angles large enough for this length, by which bound?"};

  Index length, depth;
  double epsilon, pretrained_base, highest_base;
  Format format;
  static Axes<BaseBounds> axes();

  // A power and a logarithm of the base, which is itself a root: a few roundings.
  static constexpr data::Tolerance rounding{.relative = 1e-12};

  static constexpr Scalar base{.name = "base",
                               .sentence = "the base of the angles",
                               .definition = "theta_i = base^(-i / J) for J planes",
                               .null_value = "skipped",
                               .tolerance = rounding};
  static constexpr Scalar slowest_angle{.name = "slowest_angle",
                                        .unit = "rad",
                                        .sentence = "the angle by which the slowest plane rotates in a step",
                                        .definition = "theta_(J-1) = base^(-(J-1) / J)",
                                        .null_value = "skipped",
                                        .tolerance = rounding};
  static constexpr Scalar aliasing_length{
      .name = "aliasing_length",
      .unit = "position",
      .sentence = "Liu's bound: the length at which an angle of 1 / base has made a full turn",
      .definition = "2 pi base: that of many planes, whose slowest angle is nearly 1 / base",
      .null_value = "skipped",
      .tolerance = rounding};
  static constexpr Scalar aliasing_base{
      .name = "aliasing_base",
      .sentence = "Liu's bound: the base from which on an angle of 1 / base makes no full turn",
      .definition = "N / (2 pi)",
      .null_value = "skipped",
      .tolerance = rounding};
  static constexpr Scalar cosine_length{
      .name = "cosine_length",
      .unit = "position",
      .sentence =
          "Liu's bound: the length within which the cosine of an angle of 1 / base keeps epsilon "
          "through all layers",
      .definition = "base arccos(epsilon^(1 / depth))",
      .null_value = "skipped",
      .tolerance = rounding};
  static constexpr Scalar cosine_base{.name = "cosine_base",
                                      .sentence = "the base from which on it does for N positions",
                                      .definition = "N / arccos(epsilon^(1 / depth))",
                                      .null_value = "skipped",
                                      .tolerance = rounding};
  static constexpr Scalar precision_base{
      .name = "precision_base",
      .sentence = "Liu's bound: the base up to which 1 / base is more than a rounding of 1",
      .definition = "1 / machine epsilon of the axis format",
      .null_value = "skipped",
      .tolerance = exact()};
  static constexpr Scalar critical_dimension{
      .name = "critical_dimension",
      .unit = "channels",
      .sentence =
          "how many of the 2 J channels, two a plane, make a full turn within the N positions of "
          "pre-training",
      .definition = "2 ceil(J log_b0(N / 2 pi)), from 0 to 2 J; b0 = pretrained_base, or the base if that is 0",
      .null_value = "skipped",
      .tolerance = exact()};
  static constexpr Scalar extrapolation_length{
      .name = "extrapolation_length",
      .unit = "position",
      .sentence =
          "Liu et al.'s limit: how far weights that were pre-trained with pretrained_base reach with "
          "this base, if it is no smaller",
      .definition = "2 pi base^(critical_dimension / 2 J)",
      .null_value = "skipped",
      .tolerance = rounding};
  static constexpr Scalar interpolation_bound{
      .name = "interpolation_bound",
      .sentence = "PI's bound on how far a score lies from the line between two positions, over 2 J max |h|",
      .definition = "1 / (32 ln base)",
      .null_value = "skipped",
      .tolerance = rounding};
  static constexpr Scalar interpolation_error{.name = "interpolation_error",
                                              .sentence = "the same distance for the worst contents",
                                              .definition = "sum_i (1 - cos(theta_i / 2)) / 2 J",
                                              .null_value = "skipped",
                                              .tolerance = rounding};
  static constexpr Scalar smallest_base{
      .name = "smallest_base",
      .sentence =
          "the smallest base of J planes whose sum of cosines is never negative; absent if there is "
          "none up to highest_base",
      .definition = "inf of b > 1 with sum_i cos(m b^(-i / J)) >= 0 for m = 0 .. N - 1",
      .null_value = "skipped",
      .tolerance = relative(1e-8)};
  // A sum of cosines of m theta: an error of 1e-16 of m theta in each.
  static constexpr Scalar least_cosine{.name = "least_cosine",
                                       .sentence = "the least mean of the planes' cosines",
                                       .definition = "min over m < N of (1 / J) sum_i cos(m theta_i)",
                                       .null_value = "skipped",
                                       .tolerance = {.absolute = 1e-12, .per_position = 4e-16}};
  static constexpr Scalar first_negative{
      .name = "first_negative",
      .unit = "position",
      .sentence = "the first distance at which that mean is negative; absent if it is at none",
      .definition = "min of m < N with sum_i cos(m theta_i) < 0",
      .null_value = "skipped",
      .tolerance = exact()};
  static constexpr Scalar least_bound{
      .name = "least_bound",
      .sentence = "the least value of RoFormer's bound over the width",
      .definition = "min over s < N of B(s) / 2 J, B(s) = sum_(j=1..J) |sum_(i<j) exp(i s theta_i)|",
      .null_value = "skipped",
      .tolerance = {.absolute = 1e-11, .per_position = 1e-12}};
  static constexpr Scalar least_bound_distance{.name = "least_bound_distance",
                                               .unit = "position",
                                               .sentence = "where that is",
                                               .definition = "the first s at which it is",
                                               .null_value = "skipped",
                                               .tolerance = exact()};
  static constexpr std::tuple measures{
      base,           slowest_angle,      aliasing_length,      aliasing_base,       cosine_length,       cosine_base,
      precision_base, critical_dimension, extrapolation_length, interpolation_bound, interpolation_error, smallest_base,
      least_cosine,   first_negative,     least_bound,          least_bound_distance};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::base_bounds
