// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "length-generalisation.hpp"

namespace poslab::experiments::length_generalisation {
namespace {

constexpr double solved = 0.9;  // share of tokens from which a size counts as solved

// Whether the scheme serves what lies beyond, and the task has no instance of it.
bool lacks_instances(const Point& point) {
  const std::vector<const std::vector<double>*> curves = point.values(LengthGeneralisation::refused);
  return !curves.empty() && std::ranges::none_of(curves, [](const std::vector<double>* refused) {
    return std::ranges::find(*refused, 1.0) != refused->end();
  });
}

void add_doubt(std::size_t repeats, data::Answer& answer) {
  answer.mark = data::Mark::cannot_tell;
  if (repeats > 1) {
    answer.sentence += fmt::format(": {} repeats cannot tell whether that is {} or more; more may", repeats, solved);
    return;
  }
  answer.numbers.push_back(data::AnswerNumber::word(one_repeat_word().word));
  answer.sentence +=
      fmt::format(": one repeat has no error, and cannot tell whether others reach {}; more can", solved);
}

}  // namespace

data::AnswerColumn LengthGeneralisation::column() {
  return {"larger",
          "accuracy",
          "a network that solves small instances (90 % of the tokens) solves larger ones, at this accuracy",
          {refused_word(), untaught_word(), one_repeat_word()}};
}

data::Answer LengthGeneralisation::answer(const Point& point) const {
  const data::MeanAndError within = point.mean(accuracy_within), beyond = point.mean(accuracy_beyond);
  if (within.values == 0 && beyond.values == 0)
    return {data::Mark::none, {}, fmt::format("no size of {} could be measured", task)};
  if (const std::string why = why_untaught(point, within); !why.empty())
    return {data::Mark::none, {data::AnswerNumber::word(untaught_word().word)}, why + training_note(point), true};
  if (size.back() <= static_cast<double>(largest))
    return {data::Mark::none, {}, fmt::format("no size beyond {} was looked at", largest)};
  if (beyond.values == 0 && lacks_instances(point))
    return {data::Mark::none, {}, fmt::format("{} has no instance of these sizes beyond {}", task, largest)};
  if (beyond.values == 0)
    return {data::Mark::no,
            {data::AnswerNumber::word(refused_word().word)},
            fmt::format("it cannot serve all sizes of {} beyond {}", task, largest)};
  data::Answer answer;
  answer.numbers = {data::AnswerNumber::of(beyond)};
  answer.sentence = fmt::format(
      "trained on {} up to size {} for {}, it says {}{} of the tokens right at larger "
      "sizes",
      task, largest, steps_text(), within.values > 0 ? data::to_text(within) + " of the tokens right there and " : "",
      data::to_text(beyond));
  if (differs_from(beyond, solved))
    answer.mark = beyond.mean >= solved ? data::Mark::yes : data::Mark::no;
  else
    add_doubt(beyond.values, answer);
  answer.sentence += training_note(point);
  return answer;
}

}  // namespace poslab::experiments::length_generalisation
