// SPDX-License-Identifier: Apache-2.0
// What survival says of a variant: how much of a token's place a linear probe reads off the deepest layer.
#include <fmt/format.h>

#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::survival {
namespace {

constexpr double nothing = 0.02;  // r2 below: a probe fitted on noise comes out so
constexpr double most = 0.5;      // r2 above: more of the variance of places is told than is not

}  // namespace

data::AnswerColumn column() {
  return {"survives", "R2", "of a place, read linearly off the last layer; partly: less than half of its variance"};
}

data::Answer answer(const Point& point) {
  const data::MeanAndError r2 = point.mean("r2", -1), error = point.mean("mean_absolute_error", -1);
  const double depth = point.repeats.front()->coordinate_of("depth")->values.back();
  const std::string sentence = fmt::format(
      "after {:.0f} layers a linear probe reads places with R2 {} and is {} places off, where chance is {:.4g} ({} "
      "tokens, {}, {} repeat{})",
      depth, data::to_text(r2), data::to_text(error), point.mean("chance_error").mean, point.axes.integer("length"),
      point.axes.text("mask") == "causal" ? "causal mask" : "no mask", r2.values, r2.values == 1 ? "" : "s");
  const data::Mark mark = r2.mean > most ? data::Mark::yes : r2.mean > nothing ? data::Mark::partly : data::Mark::no;
  return {mark, data::to_text(r2), sentence};
}

}  // namespace poslab::experiments::survival
