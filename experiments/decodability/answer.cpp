// SPDX-License-Identifier: Apache-2.0
// What decodability says of a variant: whether a linear probe reads every position off its code, and how far it is off
// if not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "decodability.hpp"
#include "poslab/experiment/answer_text.hpp"

namespace poslab::experiments::decodability {
namespace {

// How much farther off than a probe that knows no code, repeat by repeat.
data::MeanAndError beyond_chance(const Decodability& at, const Point& point) {
  const auto errors = point.values(at.position_error), chances = point.values(at.position_error_chance);
  std::vector<double> differences;
  for (std::size_t r = 0; r < errors.size(); ++r) differences.push_back(errors[r]->at(0) - chances[r]->at(0));
  data::MeanAndError beyond = data::mean_and_error(differences);
  // Repeats of few rows agree by chance, since one row that is read otherwise makes a step of 1 / N: their error is no
  // less than that of a step.
  beyond.error =
      std::max(beyond.error, 1 / static_cast<double>(at.length) / std::sqrt(static_cast<double>(beyond.values)));
  return beyond;
}

constexpr double hardly = 0.02;  // of chance: a probe nearer by less reads nothing that matters

struct Compared {
  data::Mark mark;
  const char* words;
};

// Whether no fit found a direction in which codes differ. One row has none, whatever its code.
bool codes_do_not_differ(const Decodability& at, const Point& point) {
  const Index fewest_fitted = at.length - (at.length + at.folds - 1) / at.folds;
  return point.largest(at.rank) == 0 && fewest_fitted > 1;
}

// Drawn weights of which there is but one draw.
bool is_one_draw(const Point& point) { return point.untrained && point.repeats.size() == 1; }

Compared with_chance(const Decodability& at, const Point& point) {
  if (codes_do_not_differ(at, point) && !is_one_draw(point)) return {data::Mark::no, "no nearer than"};
  const data::MeanAndError beyond = beyond_chance(at, point);
  const double margin = -hardly * point.mean(at.position_error_chance).mean;
  if (data::differs_from(beyond, 0) && beyond.mean < 0) return {data::Mark::partly, "nearer than"};
  if (data::differs_from(beyond, 0)) return {data::Mark::no, "no nearer than"};
  if (data::differs_from(beyond, margin) && beyond.mean > margin) return {data::Mark::no, "not 2 % nearer than"};
  return {data::Mark::cannot_tell, "not surely nearer or farther than"};
}

std::string percent(data::MeanAndError share) {
  share.mean *= 100, share.error *= 100;
  return data::to_text(share) + " %";
}

}  // namespace

data::AnswerColumn Decodability::column() {
  return {"decodable",
          "positions",
          "a linear probe reads every position off its code; in part: better than chance; number: by so many positions "
          "it is wrong on average",
          {},
          true};
}

data::Answer Decodability::answer(const Point& point) const {
  const data::MeanAndError error = point.mean(position_error);
  const char* const doubt = is_one_draw(point) ? "; one repeat of drawn weights says nothing of others" : "";
  const std::string order = fmt::format("; which of two comes first it tells wrongly in {} of pairs (chance {})",
                                        percent(point.mean(order_error)), percent(point.mean(order_error_chance)));
  if (length < 2) return {data::Mark::none, {}, "one position: there is nothing to tell apart"};
  if (point.largest(position_error) == 0)
    return {
        is_one_draw(point) ? data::Mark::cannot_tell : data::Mark::yes,
        {data::AnswerNumber::exact(0)},
        fmt::format("a linear probe reads every position off its code, the farthest {:.2g} off before rounding{}{}{}",
                    point.largest(position_residual), order, answer_text::where(point), doubt)};
  const Compared compared = with_chance(*this, point);
  return {compared.mark,
          {data::AnswerNumber::of(error)},
          fmt::format("a linear probe is {} positions off on average, {} one that knows no code ({}){}{}{}",
                      data::to_text(error), compared.words, data::to_text(point.mean(position_error_chance)), order,
                      answer_text::where(point), doubt)};
}

}  // namespace poslab::experiments::decodability
