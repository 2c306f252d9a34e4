// SPDX-License-Identifier: Apache-2.0
// What precision says of a variant: how far relative shift holds when every stage is rounded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/text.hpp"
#include "poslab/experiments/answer_text.hpp"

namespace poslab::experiments::precision {
namespace {

// At the stage "all", which comes first: the largest error of any repeat at each shift; NaN where the format ends.
std::vector<double> shift_errors(const Point& point, std::size_t shifts) {
  std::vector<double> worst(shifts, 0);
  for (const std::vector<double>* errors : point.values("shift_error"))
    for (std::size_t r = 0; r < shifts; ++r)
      worst[r] = std::isnan((*errors)[r]) ? (*errors)[r] : std::max(worst[r], (*errors)[r]);
  return worst;
}

}  // namespace

data::AnswerColumn column() {
  return {"16 bits", "positions",
          "relative shift holds in 16 bits at all shifts; no: the first at which it is off by 0.1 sd"};
}

data::Answer answer(const Point& point) {
  const std::vector<double>& shifts = point.repeats.front()->coordinate_of("shift")->values;
  const std::string &format = point.axes.text("format"), where = answer_text::where(point);
  if (point.values("logit_error").empty())
    return {data::Mark::none, "",
            fmt::format("what it makes of its cosines and sines is in its own logits, which are not rounded here; "
                        "rounding to {} moves a cosine or sine by at most {:.2g}{}",
                        format, point.largest("table_error"), where)};
  if (point.values("shift_error").empty())
    return {
        data::Mark::none, "",
        fmt::format("codes are added to contents, whose logits change with the position anyway; rounding to {} moves "
                    "a cosine or sine by at most {:.2g}{}",
                    format, point.largest("table_error"), where)};
  const std::vector<double> errors = shift_errors(point, shifts.size());
  for (std::size_t r = 0; r < shifts.size(); ++r) {
    if (errors[r] <= 0.1) continue;
    const std::string at = base::shortest(shifts[r]);
    if (std::isnan(errors[r]))
      return {data::Mark::no, at, fmt::format("{} has no numbers for positions moved by {}{}", format, at, where)};
    return {data::Mark::no, at,
            fmt::format("made in {}, logits change by {:.2g} sd (rms) when all positions move by {}{}", format,
                        errors[r], at, where)};
  }
  return {data::Mark::yes, "",
          fmt::format("made in {}, logits change by at most {:.2g} sd (rms) when all positions move by up to {}{}",
                      format, *std::max_element(errors.begin(), errors.end()), base::shortest(shifts.back()), where)};
}

}  // namespace poslab::experiments::precision
