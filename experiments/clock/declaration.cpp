// SPDX-License-Identifier: Apache-2.0
// What clock asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::clock {
namespace {

// Measured rates are arguments of eigenvalues of a float64 matrix.
const data::Tolerance rounding{.absolute = 1e-12, .relative = 1e-12};

void add_planes(std::vector<data::MeasureInfo>& measures) {
  const std::vector<std::string> planes{"axis", "head", "plane"};
  measures.push_back({.name = "rate",
                      .dimensions = planes,
                      .unit = "rad/position",
                      .sentence = "by how much each plane rotates in a step along the axis, in falling order",
                      .definition = "theta as declared, or the arguments of the eigenvalues of T_1 T_0^-1",
                      .null_value = "absent",
                      .tolerance = rounding});
  measures.push_back({.name = "wavelength",
                      .dimensions = planes,
                      .unit = "position",
                      .sentence = "after how many steps each plane is back where it was; NaN if it stands still",
                      .definition = "2 pi / theta",
                      .null_value = "absent",
                      // As a slow plane's rate is near 0, its wavelength has the rate's absolute error over the rate.
                      .tolerance = {.relative = 1e-7}});
  measures.push_back({.name = "turns",
                      .dimensions = planes,
                      .unit = "turns",
                      .sentence = "how many turns each plane makes from the first position to the last",
                      .definition = "theta (greatest - least position along the axis) / 2 pi",
                      .null_value = "absent",
                      .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 1e-12}});
  measures.push_back({.name = "turned",
                      .dimensions = {"axis", "head"},
                      .unit = "planes",
                      .sentence = "how many planes make a full turn or more",
                      .definition = "number of planes with turns >= 1",
                      .null_value = "absent",
                      .tolerance = exact()});
  measures.push_back({.name = "angle",
                      .dimensions = {"head", "plane", "position"},
                      .unit = "rad",
                      .sentence = "where the hand of each plane stands at each position, of one axis",
                      .definition = "theta p mod 2 pi, from 0 up to 2 pi",
                      .null_value = "absent",
                      .tolerance = {.absolute = 1e-12, .per_position = 1e-12}});
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "clock";
  info.version = "1.0";
  info.title = "The clock of a code";
  info.question = "What does the code look like: how fast do its planes rotate, and what is in its matrix?";
  info.axes = {length_axis(128)};
  info.dimensions = {
      {.name = "axis", .unit = "1", .sentence = "of a position: 0, or row 0 and column 1 of a grid"},
      {.name = "head", .unit = "1", .sentence = "the head's number, from 0; one where all have the same planes"},
      {.name = "plane", .unit = "1", .sentence = "the plane's number, the fastest being 0"},
      {.name = "position", .unit = "position", .sentence = "of the token, or of an offset in rising order"},
      {.name = "channel", .unit = "1", .sentence = "the column of the matrix of codes"},
  };
  add_planes(info.measures);
  info.measures.push_back({.name = "matrix",
                           .dimensions = {"position", "channel"},
                           .sentence = "the codes, a row a position (of a bias: a row an offset)",
                           .definition = "phi(p): e(p), or T_p 1, or the offset's signature (uniqueness, kind natural)",
                           .null_value = "0",
                           .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 4e-16}});
  return info;
}

}  // namespace poslab::experiments::clock
