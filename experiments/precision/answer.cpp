// SPDX-License-Identifier: Apache-2.0
// What precision says of a variant: whether positions stay apart and relative shift holds when every stage is rounded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "logit_error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/answer_text.hpp"
#include "precision.hpp"

namespace poslab::experiments::precision {
namespace {

struct Failure {
  double shift, value;
};

struct Extent {
  double least, most;
};

// The extent of one number over the repeats; NaN where one of them is: there the format ends.
Extent over_repeats(const Point& point, const MeasureHandle auto& measure, std::size_t element) {
  Extent extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const std::vector<double>* values : point.values(measure)) {
    const double value = (*values)[element];
    if (std::isnan(value)) return {value, value};
    extent = {std::min(extent.least, value), std::max(extent.most, value)};
  }
  return extent;
}

// At the stage "all", which comes first: at each shift the largest error of any repeat; empty if it was not measured.
std::vector<double> largest_errors(const Point& point, const Measure<AtStage, Shift>& measure, std::size_t shifts) {
  std::vector<double> largest;
  for (std::size_t r = 0; r < shifts && point.has(measure); ++r)
    largest.push_back(over_repeats(point, measure, r).most);
  return largest;
}

// The first shift at which logits are off by more than they may be, or at which the format has no number.
std::optional<Failure> first_broken(const std::vector<double>& errors, const std::vector<double>& shifts) {
  for (std::size_t r = 0; r < errors.size(); ++r)
    if (!(errors[r] <= broken)) return Failure{shifts[r], errors[r]};
  return std::nullopt;
}

// What is left of N positions where some of them have become one number, or one row of cosines and sines.
struct Left {
  double shift, count;
  std::string sentence;
};

std::string moved_by(double shift) {
  return shift > 0 ? fmt::format(" when all move by {}", base::shortest(shift)) : "";
}

std::optional<Left> what_is_left(const Precision& of, const Point& point, const std::vector<double>& shifts) {
  const double N = static_cast<double>(of.length);
  const std::string before = fmt::format("in {} {:.0f} positions become ", of.numbers().name, N);
  for (std::size_t r = 0; r < shifts.size(); ++r)
    if (const double count = over_repeats(point, Precision::distinct_positions, r).least; !(count >= N))
      return Left{shifts[r], count,
                  fmt::format("{}{:.0f} number{}{}", before, count, count == 1 ? "" : "s", moved_by(shifts[r]))};
  if (const double codes = over_repeats(point, Precision::distinct_codes, 0).least; !(codes >= N))
    return Left{0, codes, fmt::format("{}{:.0f} row{} of cosines and sines", before, codes, codes == 1 ? "" : "s")};
  return std::nullopt;
}

data::AnswerNumber at(double shift) { return data::AnswerNumber::exact(shift); }

// The answer for schemes without rotated contents, whose logits have no relative shift to break.
data::Answer of_tables(const Precision& of, const Point& point, const char* why) {
  return {data::Mark::none,
          {},
          fmt::format("{}; rounding to {} moves a cosine or sine by at most {:.2g}{}", why, of.numbers().name,
                      point.largest(Precision::table_error), answer_text::where(point))};
}

}  // namespace

data::AnswerColumn Precision::column() {
  return {"16 bits",
          "positions",
          "16 bits keep positions apart, and logits when all move; no: not moved by so many positions",
          {{"left", "of the positions asked for, so many are told apart"}}};
}

data::Answer Precision::answer(const Point& point) const {
  const std::vector<double>& shifts = point.coordinate<Shift>();
  const std::string in = numbers().name, where = answer_text::where(point),
                    first = fmt::format("of the first {} positions", std::min(length, window_length));
  const std::vector<double> changes = largest_errors(point, shift_error, shifts.size()),
                            differences = largest_errors(point, logit_error_rms, shifts.size());
  const std::optional<Left> left = what_is_left(*this, point, shifts);
  const std::string and_left = left && !std::isnan(left->count) ? "; " + left->sentence : "";
  const auto none_at = [&](double by) -> data::Answer {
    return {data::Mark::no,
            {at(by)},
            fmt::format("{} has no numbers for positions moved by {}{}", in, base::shortest(by), where)};
  };
  if (const std::optional<Failure> moved = first_broken(changes, shifts)) {
    if (std::isnan(moved->value)) return none_at(moved->shift);
    return {data::Mark::no,
            {at(moved->shift)},
            fmt::format("made in {}, logits {} change by {:.2g} sd (rms) when these move by {}{}{}", in, first,
                        moved->value, base::shortest(moved->shift), and_left, where)};
  }
  const std::optional<Failure> off = first_broken(differences, shifts);
  if (left) {
    if (std::isnan(left->count)) return none_at(left->shift);
    const std::string and_off =
        off ? fmt::format("; logits are off by {:.2g} sd (rms){}", off->value, moved_by(off->shift)) : "";
    return {
        data::Mark::no, {data::AnswerNumber::exact(left->count).with_unit("left")}, left->sentence + and_off + where};
  }
  if (differences.empty())
    return precision::of_tables(
        *this, point, "what it makes of its cosines and sines is in its own logits, which are not rounded here");
  if (changes.empty())
    return precision::of_tables(*this, point,
                                "codes are added to contents, whose logits change with the position anyway");
  if (off) {
    return {
        data::Mark::no,
        {at(off->shift)},
        fmt::format("made in {}, logits are off by {:.2g} sd (rms){}{}", in, off->value, moved_by(off->shift), where)};
  }
  if (!(shifts.back() > 0))
    return {data::Mark::cannot_tell,
            {},
            fmt::format("no shift above 0 was asked for, and without one nothing is said of relative shift; made in "
                        "{}, logits are off by {:.2g} sd (rms){}",
                        in, *std::max_element(differences.begin(), differences.end()), where)};
  return {data::Mark::yes,
          {},
          fmt::format("made in {}, logits {} change by at most {:.2g} sd (rms) when these move by up to {}{}", in,
                      first, *std::max_element(changes.begin(), changes.end()), base::shortest(shifts.back()), where)};
}

}  // namespace poslab::experiments::precision
