// SPDX-License-Identifier: Apache-2.0
// What relative-shift says of a variant: whether logits change at all when every position moves, and by how much.
#include <fmt/format.h>

#include <cmath>

#include "poslab/base/text.hpp"
#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments {
namespace {

// How a change compares with what rounding may do. Between the two nobody can tell, since tolerances are bounds.
enum class Change { not_measured, rounding, unclear, certain };

constexpr double certainly_no_rounding = 10;  // times the tolerance

Change change_of(double times_allowed) {
  if (std::isnan(times_allowed)) return Change::not_measured;
  if (times_allowed <= 1) return Change::rounding;
  return times_allowed <= certainly_no_rounding ? Change::unclear : Change::certain;
}

// A measure along `shift` in all repeats: its largest value, and how many times its tolerance that is, each at worst.
struct AlongShifts {
  double largest = std::numeric_limits<double>::quiet_NaN(), times_allowed = largest;
  std::vector<double> served, not_served;
};

AlongShifts along_shifts(const Point& point, const std::string& measure, const std::vector<double>& shifts) {
  const double length = static_cast<double>(point.axes.integer("length"));
  AlongShifts found;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (const std::vector<double>* curve : point.values(measure)) worst = std::fmax(worst, curve->at(i));
    (std::isnan(worst) ? found.not_served : found.served).push_back(shifts[i]);
    const double allowed = point.allowed(measure, length - 1 + shifts[i], length);
    found.largest = std::fmax(found.largest, worst);
    found.times_allowed = std::fmax(found.times_allowed, worst / allowed);
  }
  return found;
}

// Over the repeats, at the shift where the mean is largest.
struct AtShift {
  double shift = 0;
  data::MeanAndError value;
};

AtShift worst_shift(const Point& point, const std::vector<double>& shifts) {
  AtShift worst;
  worst.value.mean = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const data::MeanAndError at = point.mean("content_error_rms", static_cast<int>(i));
    if (at.values > 0 && !(at.mean <= worst.value.mean)) worst = {shifts[i], at};
  }
  return worst;
}

std::string list_of(const std::vector<double>& shifts) {
  std::vector<std::string> texts;
  for (const double shift : shifts) texts.push_back(base::shortest(shift));
  return base::enumerate(texts);
}

// The spread along offsets within the sequence, and the change of the same pairs when all move.
Change position_change(const Point& point, const AlongShifts& moved) {
  const double length = static_cast<double>(point.axes.integer("length"));
  const double spread = point.largest("toeplitz_residual_relative"),
               allowed = point.allowed("toeplitz_residual_relative", length - 1, length);
  return change_of(std::fmax(spread / allowed, moved.times_allowed));
}

data::Answer exact(const AlongShifts& content, const std::string& where) {
  return {data::Mark::yes, "",
          fmt::format("when all positions move by {}, no logit changes by more than {:.2g} of the rms logit, which is "
                      "rounding{}",
                      list_of(content.served), content.largest, where)};
}

data::Answer changing(const Point& point, const std::vector<double>& shifts, Change position,
                      const std::string& where) {
  const AtShift worst = worst_shift(point, shifts);
  const std::string change = fmt::format(
      "when all positions move by {}, logits change by {} times what the scheme adds to them (rms over the keys of a "
      "query; 1.41: unrelated to before)",
      base::shortest(worst.shift), data::to_text(worst.value));
  if (position == Change::rounding)
    return {data::Mark::partly, data::to_text(worst.value),
            fmt::format("the position score of a pair depends on the offset alone, logits of contents do not: {}{}",
                        change, where)};
  return {data::Mark::no, data::to_text(worst.value), change + where};
}

data::Answer of_position_alone(const Point& point, Change content, Change position, const AlongShifts& moved,
                               const std::string& where) {
  const double spread = point.largest("toeplitz_residual_relative");
  const std::string sizes =
      fmt::format("the position score of one offset varies by {:.2g} of its rms within the sequence{}", spread,
                  std::isnan(moved.largest) ? "" : fmt::format(", by {:.2g} when all positions move", moved.largest));
  if (position == Change::certain)
    return {content == Change::rounding ? data::Mark::partly : data::Mark::no, "",
            fmt::format("{}; {}{}",
                        content == Change::rounding ? "logits of the first tokens stay when all positions move"
                                                    : "no certain move of contents was measured",
                        sizes, where)};
  if (content == Change::not_measured && position == Change::rounding)
    return {data::Mark::cannot_tell, "",
            fmt::format("no shift leads to positions that the scheme serves; {}, which is rounding{}", sizes, where)};
  return {data::Mark::cannot_tell, "",
          fmt::format("it may be rounding or a small dependence on the position: {}{}", sizes, where)};
}

}  // namespace

data::AnswerColumn column_of_relative_shift() {
  return {"relative", "rms",
          "logits stay when all positions move; partly: position scores only; no: change over what is added"};
}

data::Answer answer_of_relative_shift(const Point& point) {
  const std::vector<double> shifts = point.repeats.front()->coordinate_of("shift")->values;
  const AlongShifts content = along_shifts(point, "content_error", shifts),
                    moved = along_shifts(point, "position_error", shifts);
  const Change of_content = change_of(content.times_allowed), of_position = position_change(point, moved);
  std::string where = answer_text::where(point);
  if (!content.not_served.empty() && !content.served.empty())
    where += fmt::format("; positions moved by {} are not served", list_of(content.not_served));
  if (of_content == Change::certain) return changing(point, shifts, of_position, where);
  if (of_content == Change::rounding && of_position == Change::rounding) return exact(content, where);
  return of_position_alone(point, of_content, of_position, moved, where);
}

}  // namespace poslab::experiments
