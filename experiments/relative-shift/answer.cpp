// SPDX-License-Identifier: Apache-2.0
// What relative-shift says of a variant: whether logits change at all when every position moves, and by how much.
#include <fmt/format.h>

#include <cmath>

#include "poslab/base/text.hpp"
#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/nearly.hpp"
#include "relative-shift.hpp"

namespace poslab::experiments::relative_shift {
namespace {

// How a change compares with what rounding may do. Between the two nobody can tell, since tolerances are bounds.
enum class Change { not_measured, rounding, unclear, certain };

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

AlongShifts along_shifts(const Point& point, const Measure<Shift>& measure, const std::vector<double>& shifts,
                         double length) {
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
    const data::MeanAndError at = point.mean(RelativeShift::content_error_rms, static_cast<int>(i));
    if (at.values > 0 && !(at.mean <= worst.value.mean)) worst = {shifts[i], at};
  }
  return worst;
}

std::string list_of(const std::vector<double>& shifts) {
  std::vector<std::string> texts;
  for (const double shift : shifts) texts.push_back(base::shortest(shift));
  return base::enumerate(texts);
}

std::string tokens_of(const Point& point, double length) {
  if (!point.repeats.front()->position_coordinates().empty()) return "a corner of the grid";
  return fmt::format("the first {:g} tokens", std::fmin(length, static_cast<double>(window_tokens)));
}

// What is looked at, over the repeats.
struct Seen {
  AlongShifts content, moved;  // logits of contents, and position scores, when all positions move
  double spread = 0;           // of position scores along an offset, within the sequence
  double future = 0;           // of logits when the last token becomes another; NaN where none could be
  Change of_content, of_position, of_future;
  std::string where;
  std::string tokens;  // whose logits of contents are looked at

  // The largest of them, in units of the rms logit or score.
  double deviation() const { return std::fmax(std::fmax(content.largest, moved.largest), spread); }
};

Seen seen_of(const Point& point, const std::vector<double>& shifts, double length) {
  using R = RelativeShift;
  Seen seen{along_shifts(point, R::content_error, shifts, length),
            along_shifts(point, R::position_error, shifts, length),
            point.largest(R::toeplitz_residual_attended),
            point.largest(R::future_error),
            {},
            {},
            {},
            answer_text::where(point),
            tokens_of(point, length)};
  const auto over_allowed = [&](const Scalar& measure, double value) {
    return value / point.allowed(measure, length - 1, length);
  };
  seen.of_content = change_of(seen.content.times_allowed);
  seen.of_position =
      change_of(std::fmax(over_allowed(R::toeplitz_residual_attended, seen.spread), seen.moved.times_allowed));
  seen.of_future = change_of(over_allowed(R::future_error, seen.future));
  if (!seen.content.not_served.empty() && !seen.content.served.empty())
    seen.where += fmt::format("; positions moved by {} are not served", list_of(seen.content.not_served));
  return seen;
}

data::Answer exactly(const Seen& seen) {
  return {data::Mark::yes,
          {},
          fmt::format("when all positions move by {}, no logit of {} changes by more than {:.2g} of the rms "
                      "logit (less the "
                      "mean over the keys of its query), which is rounding{}",
                      list_of(seen.content.served), seen.tokens, seen.content.largest, seen.where)};
}

data::Answer nearly(const Seen& seen) {
  return {data::Mark::partly,
          {holds_to(seen.deviation())},
          fmt::format("not exactly, but so nearly that float32 sees no difference: logits or position scores change by "
                      "{:.2g} of their rms at most, less the mean over the keys of their query{}",
                      seen.deviation(), seen.where)};
}

data::Answer looking_ahead(const Seen& seen) {
  return {data::Mark::no,
          {data::AnswerNumber::word("looks ahead")},
          fmt::format("logits of a pair change by up to {:.2g} of the rms logit when the last token of the context "
                      "becomes another, which a causal mask hides from both{}",
                      seen.future, seen.where)};
}

data::Answer changing(const Point& point, const std::vector<double>& shifts, const Seen& seen) {
  const AtShift worst = worst_shift(point, shifts);
  const std::string change = fmt::format(
      "when all positions move by {}, logits change by {} times what the scheme adds to them (rms over the keys of a "
      "query; 1.41: unrelated to before)",
      base::shortest(worst.shift), data::to_text(worst.value));
  const bool in_part = seen.of_position == Change::rounding;
  return {in_part ? data::Mark::partly : data::Mark::no,
          {data::AnswerNumber::of(worst.value)},
          (in_part ? "the position score of a pair depends on the offset alone, logits of contents do not: " : "") +
              change + seen.where};
}

data::Answer of_position_alone(const Seen& seen) {
  const std::string sizes = fmt::format(
      "the position score of one offset varies by {:.2g} of its rms within the sequence{}", seen.spread,
      std::isnan(seen.moved.largest) ? "" : fmt::format(", by {:.2g} when all positions move", seen.moved.largest));
  if (seen.of_position == Change::certain)
    return {seen.of_content == Change::rounding ? data::Mark::partly : data::Mark::no,
            {data::AnswerNumber::exact(std::fmax(seen.spread, seen.moved.largest), 2, "varies")},
            fmt::format("{}; {}{}",
                        seen.of_content == Change::rounding ? "logits of the first tokens stay when all positions move"
                                                            : "no certain move of contents was measured",
                        sizes, seen.where)};
  if (seen.of_content == Change::not_measured && seen.of_position == Change::rounding)
    return {
        data::Mark::cannot_tell,
        {},
        fmt::format("no shift leads to positions that the scheme serves; {}, which is rounding{}", sizes, seen.where)};
  return {data::Mark::cannot_tell,
          {holds_to(seen.deviation())},
          fmt::format("it may be rounding or a small dependence on the position: {}{}", sizes, seen.where)};
}

}  // namespace

data::AnswerColumn RelativeShift::column() {
  return {"relative",
          "rms",
          "logits stay when all positions move; in part: only position scores do, or those of one offset vary; no: "
          "change over what is added",
          {{"rms", "root mean square over the keys of a query"},
           {"varies", "how far the scores of one offset vary, over their rms"},
           {"looks ahead", "logits change with tokens that the causal mask hides"},
           deviation_word()},
          true};
}

data::Answer RelativeShift::answer(const Point& point) const {
  if (length == 1)
    return {data::Mark::none, {}, "one token gives itself all its attention, wherever it is: nothing was looked at"};
  const std::vector<double>& shifts = point.coordinate<Shift>();
  const Seen seen = seen_of(point, shifts, static_cast<double>(length));
  if (seen.of_future == Change::certain) return looking_ahead(seen);
  const bool is_rounding = seen.of_content == Change::rounding && seen.of_position == Change::rounding;
  if (!is_rounding && seen.of_content != Change::not_measured && seen.deviation() <= hardly) return nearly(seen);
  if (seen.of_content == Change::certain) return changing(point, shifts, seen);
  if (is_rounding) return exactly(seen);
  return of_position_alone(seen);
}

}  // namespace poslab::experiments::relative_shift
