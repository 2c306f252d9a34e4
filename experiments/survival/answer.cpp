// SPDX-License-Identifier: Apache-2.0
// What survival says of a variant: how much of a token's position a linear probe reads off the deepest layer.
#include <fmt/format.h>

#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::survival {
namespace {

constexpr double nothing = 0.02;  // r2 up to which a probe reads nothing that matters
constexpr double most = 0.5;      // r2 above: more of the variance of positions is told than is not

// A probe of noise gets 0 on average, and less or more by chance, the more so the fewer tokens it is tried on.
data::Mark mark_of(const data::MeanAndError& r2) {
  if (r2.mean <= nothing) return data::Mark::no;
  if (!data::differs_from(r2, 0)) return data::Mark::cannot_tell;
  return r2.mean > most ? data::Mark::yes : data::Mark::partly;
}

}  // namespace

data::AnswerColumn column() {
  return {"survives", "R2", "of a position, read linearly off the last layer; partly: less than half of its variance"};
}

data::Answer answer(const Point& point) {
  const data::MeanAndError r2 = point.mean("r2", -1), error = point.mean("mean_absolute_error", -1);
  const double depth = point.repeats.front()->coordinate_of("depth")->values.back();
  const std::string sentence = fmt::format(
      "after {:.0f} layers a linear probe reads positions with R2 {} and is {} off, where chance is {:.4g} ({} "
      "tokens, {}, {} repeat{})",
      depth, data::to_text(r2), data::to_text(error), point.mean("chance_error").mean, point.axes.integer("length"),
      point.axes.text("mask") == "causal" ? "causal mask" : "no mask", r2.values, r2.values == 1 ? "" : "s");
  const data::Mark mark = mark_of(r2);
  const char* doubt = mark == data::Mark::cannot_tell ? "; these repeats cannot tell that from 0" : "";
  return {mark, data::to_text(r2), sentence + doubt};
}

}  // namespace poslab::experiments::survival
