// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "language-model.hpp"

namespace poslab::experiments::language_model {
namespace {

// A rise of the loss below this is none: a perplexity that is 3 % higher.
const double min_rise = std::log(1.03);

// The factor on the perplexity, and the interval by which the mark is given: that of the loss, its logarithm.
data::AnswerNumber ratio_of(const data::MeanAndError& rise) {
  data::AnswerNumber ratio = data::AnswerNumber::exact(std::exp(rise.mean), 3);
  if (rise.values < 2 || rise.error == 0) return ratio;
  const double around = data::errors_around(rise.values) * rise.error;
  return std::move(ratio).with_interval(std::exp(rise.mean - around), std::exp(rise.mean + around));
}

// The last multiple of which the task, or its file, has sequences.
std::size_t last_that_exists(const Point& point, std::size_t multiples) {
  std::size_t last = multiples - 1;
  for (const std::vector<double>* refused : point.values(LanguageModel::refused))
    while (last > 0 && std::isnan((*refused)[last])) --last;
  return last;
}

void add_doubt(std::size_t repeats, data::Answer& answer) {
  answer.mark = data::Mark::cannot_tell;
  if (repeats > 1) {
    answer.sentence += fmt::format(": {} repeats cannot tell whether that is more than 1.03; more may", repeats);
    return;
  }
  answer.numbers.push_back(data::AnswerNumber::word(one_repeat_word().word));
  answer.sentence += ": one repeat has no error, and cannot tell whether another would be above 1.03; more can";
}

}  // namespace

data::AnswerColumn LanguageModel::column() {
  return {"longer",
          "× perplexity",
          "a trained network's perplexity on longer sequences stays, within 3 %",
          {{"× perplexity", "by so many times it is higher on the longest than at the trained length"},
           refused_word(),
           untaught_word(),
           one_repeat_word()}};
}

data::Answer LanguageModel::answer(const Point& point) const {
  if (multiple.size() < 2) return {data::Mark::none, {}, "measured at one length, which is compared with no other"};
  const std::size_t last = last_that_exists(point, multiple.size());
  const double longest = multiple[last];
  if (last == 0)
    return {
        data::Mark::none, {}, fmt::format("{} has no sequence of {:g} times the trained length", task, multiple[1])};
  std::vector<double> rises;
  for (const std::vector<double>* curve : point.values(loss))
    if (!std::isnan((*curve)[last])) rises.push_back((*curve)[last] - curve->front());
  const std::string what = fmt::format("trained on length {} of {} for {}", train_length, task, steps_text());
  if (rises.empty())
    return {data::Mark::no,
            {data::AnswerNumber::word(refused_word().word)},
            fmt::format("{}, it cannot serve {:g} times as many", what, longest)};
  const data::MeanAndError right = multiple.front() == 1 ? point.mean(accuracy) : data::MeanAndError();
  if (const std::string why = why_untaught(point, right); !why.empty())
    return {data::Mark::none, {data::AnswerNumber::word(untaught_word().word)}, why + training_note(point), true};
  const std::string first =
      multiple.front() == 1 ? "the trained length" : fmt::format("{:g} times as many", multiple.front());
  const data::MeanAndError rise = data::mean_and_error(rises);
  const data::AnswerNumber ratio = ratio_of(rise);
  data::Answer answer;
  answer.numbers = {ratio};
  answer.sentence = fmt::format("{}, its perplexity at {:g} times as many is {} times that at {}", what, longest,
                                to_text(ratio), first);
  if (data::differs_from(rise, min_rise))
    answer.mark = rise.mean < min_rise ? data::Mark::yes : data::Mark::no;
  else
    add_doubt(rise.values, answer);
  answer.sentence += training_note(point);
  return answer;
}

}  // namespace poslab::experiments::language_model
