// SPDX-License-Identifier: Apache-2.0
// What base-bounds asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::base_bounds {
namespace {

// A power and a logarithm of the base, which is itself a root: a few roundings.
const data::Tolerance rounding{.relative = 1e-12};

data::MeasureInfo measure(const std::string& name, const std::string& unit, const std::string& sentence,
                          const std::string& definition, const data::Tolerance& tolerance = rounding) {
  return {.name = name,
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = "skipped",
          .tolerance = tolerance};
}

void add_closed_forms(std::vector<data::MeasureInfo>& measures) {
  measures.push_back(measure("base", "1", "the base of the angles", "theta_i = base^(-i / J) for J planes"));
  measures.push_back(measure("slowest_angle", "rad", "the angle by which the slowest plane rotates in a step",
                             "theta_(J-1) = base^(-(J-1) / J)"));
  measures.push_back(measure("aliasing_length", "position",
                             "Liu's bound: the length at which an angle of 1 / base has made a full turn",
                             "2 pi base: that of many planes, whose slowest angle is nearly 1 / base"));
  measures.push_back(measure("aliasing_base", "1",
                             "Liu's bound: the base from which on an angle of 1 / base makes no full turn",
                             "N / (2 pi)"));
  measures.push_back(measure("cosine_length", "position",
                             "Liu's bound: the length within which the cosine of an angle of 1 / base keeps epsilon "
                             "through all layers",
                             "base arccos(epsilon^(1 / depth))"));
  measures.push_back(
      measure("cosine_base", "1", "the base from which on it does for N positions", "N / arccos(epsilon^(1 / depth))"));
  measures.push_back(measure("precision_base", "1",
                             "Liu's bound: the base up to which 1 / base is more than a rounding of 1",
                             "1 / machine epsilon of the axis format", exact()));
  measures.push_back(
      measure("critical_dimension", "channels",
              "how many of the 2 J channels, two a plane, make a full turn within the N positions of pre-training",
              "2 ceil(J log_b0(N / 2 pi)), from 0 to 2 J; b0 = pretrained_base, or the base if that is 0", exact()));
  measures.push_back(measure("extrapolation_length", "position",
                             "Liu et al.'s limit: how far weights that were pre-trained with pretrained_base reach "
                             "with this base, if it is no smaller",
                             "2 pi base^(critical_dimension / 2 J)"));
  measures.push_back(measure("interpolation_bound", "1",
                             "PI's bound on how far a score lies from the line between two positions, over 2 J max |h|",
                             "1 / (32 ln base)"));
}

void add_searches(std::vector<data::MeasureInfo>& measures) {
  measures.push_back(measure("interpolation_error", "1", "the same distance for the worst contents",
                             "sum_i (1 - cos(theta_i / 2)) / 2 J"));
  measures.push_back(measure("smallest_base", "1",
                             "the smallest base of J planes whose sum of cosines is never negative; absent if there is "
                             "none up to highest_base",
                             "inf of b > 1 with sum_i cos(m b^(-i / J)) >= 0 for m = 0 .. N - 1", relative(1e-8)));
  // A sum of cosines of m theta: an error of 1e-16 of m theta in each.
  measures.push_back(measure("least_cosine", "1", "the least mean of the planes' cosines",
                             "min over m < N of (1 / J) sum_i cos(m theta_i)",
                             {.absolute = 1e-12, .per_position = 4e-16}));
  measures.push_back(measure("first_negative", "position",
                             "the first distance at which that mean is negative; absent if it is at none",
                             "min of m < N with sum_i cos(m theta_i) < 0", exact()));
  measures.push_back(measure("least_bound", "1", "the least value of RoFormer's bound over the width",
                             "min over s < N of B(s) / 2 J, B(s) = sum_(j=1..J) |sum_(i<j) exp(i s theta_i)|",
                             {.absolute = 1e-11, .per_position = 1e-12}));
  measures.push_back(
      measure("least_bound_distance", "position", "where that is", "the first s at which it is", exact()));
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "base-bounds";
  info.version = "1.3";
  info.title = "Bounds of a base";
  info.question = "Is the base of a scheme's angles large enough for this length, by which bound?";
  info.axes = {
      length_axis(4096),
      Axis{
          .name = "depth",
          .default_value = std::int64_t{1},
          .range = from_one,
          .unit = "layers",
          .sentence = "how many layers rotate by the same angles, one after the other",
      },
      Axis{
          .name = "epsilon",
          .default_value = 0.5,
          .range = {.lowest = 0, .highest = 1, .above_lowest = true, .below_highest = true},
          .sentence = "what is to be left of the slowest plane's cosine after all layers",
      },
      Axis{
          .name = "format",
          .choices = {"float32", "bfloat16", "float16", "float64"},
          .sentence = "the numbers in which angles are worked out",
      },
      Axis{
          .name = "pretrained_base",
          .default_value = 0.0,
          .range = {.lowest = 0},
          .sentence = "the base with which the weights were pre-trained on N positions; 0: the scheme's own",
      },
      Axis{
          .name = "highest_base",
          .default_value = 1e12,
          .range = {.lowest = 1, .above_lowest = true},
          .sentence = "where the search for the smallest base ends",
      },
  };
  add_closed_forms(info.measures);
  add_searches(info.measures);
  return info;
}

}  // namespace poslab::experiments::base_bounds
