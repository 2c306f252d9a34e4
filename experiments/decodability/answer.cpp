// SPDX-License-Identifier: Apache-2.0
// What decodability says of a variant: whether a linear probe reads every position off its code, and how far it is off
// if not.
#include <fmt/format.h>

#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::decodability {
namespace {

// Of one repeat each: how much farther off than a probe that knows no code.
data::MeanAndError beyond_chance(const Point& point) {
  const auto errors = point.values("position_error"), chances = point.values("position_error_chance");
  std::vector<double> differences;
  for (std::size_t r = 0; r < errors.size(); ++r) differences.push_back(errors[r]->at(0) - chances[r]->at(0));
  return data::mean_and_error(differences);
}

data::Mark mark_of(const Point& point) {
  if (point.largest("position_error") == 0) return data::Mark::yes;
  const data::MeanAndError beyond = beyond_chance(point);
  if (beyond.mean >= 0) return data::Mark::no;
  return data::differs_from(beyond, 0) ? data::Mark::partly : data::Mark::cannot_tell;
}

std::string percent(data::MeanAndError share) {
  share.mean *= 100, share.error *= 100;
  return data::to_text(share) + " %";
}

}  // namespace

data::AnswerColumn column() {
  return {"decodable", "positions",
          "a linear probe reads every position off its code; partly: better than chance; its mean error"};
}

data::Answer answer(const Point& point) {
  const data::MeanAndError error = point.mean("position_error");
  const data::Mark mark = mark_of(point);
  const std::string order = fmt::format("; which of two comes first it tells wrongly in {} of pairs (chance {})",
                                        percent(point.mean("order_error")), percent(point.mean("order_error_chance")));
  if (mark == data::Mark::yes)
    return {mark, "0",
            fmt::format("a linear probe reads every position off its code, the farthest {:.2g} off before rounding{}{}",
                        point.largest("position_residual"), order, answer_text::where(point))};
  const char* compared = mark == data::Mark::partly        ? "nearer than"
                         : mark == data::Mark::cannot_tell ? "not surely nearer than"
                                                           : "no nearer than";
  return {mark, data::to_text(error),
          fmt::format("a linear probe is {} positions off on average, {} one that knows no code ({}){}{}",
                      data::to_text(error), compared, data::to_text(point.mean("position_error_chance")), order,
                      answer_text::where(point))};
}

}  // namespace poslab::experiments::decodability
