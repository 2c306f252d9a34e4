// SPDX-License-Identifier: Apache-2.0
#include "judge/point_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::run {
namespace {

using PointAnswer = PointAnswers::value_type;

struct Parts {
  PointAnswers answered, unanswered;
};

// What has no mark and no number is no answer. Nor is what networks say that learnt nothing, where others did.
Parts parts_of(const PointAnswers& all) {
  const auto says = [](const PointAnswer& point) { return !point.second.says_nothing(); };
  const bool any_taught =
      std::ranges::any_of(all, [&](const PointAnswer& point) { return says(point) && !point.second.is_untaught; });
  Parts parts;
  std::partition_copy(
      all.begin(), all.end(), std::back_inserter(parts.answered), std::back_inserter(parts.unanswered),
      [&](const PointAnswer& point) { return says(point) && !(any_taught && point.second.is_untaught); });
  return parts;
}

// The point that is shown, among points that all have a mark or a number.
const PointAnswer& shown_of(const PointAnswers& points, const std::string& shown) {
  const auto found = std::ranges::find(points, shown, &PointAnswer::first);
  return found == points.end() ? points.back() : *found;
}

using PointsOfMarks = std::map<data::Mark, std::vector<std::string>>;

PointsOfMarks points_of_marks(const PointAnswers& points) {
  PointsOfMarks where;
  for (const auto& [point, answer] : points) where[answer.mark].push_back(point);
  return where;
}

// What is skipped is known before anything runs, and says nothing of the cells that were to run.
bool is_not_run(const AnswerFacts& facts) {
  return facts.points.empty() && facts.not_run > 0 &&
         (!facts.failure || facts.failure->status == data::Status::skipped);
}

// Every piece of a sentence is written here.

std::string answered_text(const Parts& parts, const std::string& shown) {
  const auto& [point, answer] = shown_of(parts.answered, shown);
  if (parts.answered.size() == 1)
    return parts.unanswered.empty() ? answer.sentence : fmt::format("{}: {}", point, answer.sentence);
  const PointsOfMarks where = points_of_marks(parts.answered);
  if (where.size() == 1)
    return fmt::format("{}: {} ({} of {} points)", point, answer.sentence,
                       answer.mark == data::Mark::none ? "one" : "alike at each", parts.answered.size());
  std::string marks;
  for (const auto& [mark, points] : where)
    marks += fmt::format("{}{} at {}", marks.empty() ? "" : "; ", data::to_text(mark), base::enumerate(points));
  return fmt::format("{}. {}: {}", marks, point, answer.sentence);
}

// Which points have no answer, with the first one's reason.
std::string unanswered_text(const Parts& parts) {
  if (parts.unanswered.empty()) return "";
  std::vector<std::string> points;
  for (const PointAnswer& point : parts.unanswered) points.push_back(point.first);
  return fmt::format(". No answer at {} ({} of {} measured points): {}", base::enumerate(points), points.size(),
                     points.size() + parts.answered.size(), parts.unanswered.front().second.sentence);
}

std::string failure_text(const AnswerFacts& facts) {
  if (!facts.failure || facts.failure->point.empty()) return "";
  const AnswerFacts::Failure& failure = *facts.failure;
  const std::string more = failure.points > 1 ? fmt::format(", and at {} more,", failure.points - 1) : "";
  return fmt::format(". At {}{} {}: {}", failure.point, more, data::to_text(failure.status), failure.message);
}

std::string not_run_text(const AnswerFacts& facts) {
  return fmt::format("not run: {} of {}", facts.not_run, base::counted(facts.cells, "cell"));
}

std::string sentence_of(const AnswerFacts& facts, const Parts& parts, const std::string& shown) {
  if (is_not_run(facts)) return not_run_text(facts);
  if (facts.points.empty()) return facts.failure->message;
  const std::string measured = parts.answered.empty() ? facts.points.back().second.sentence
                                                      : answered_text(parts, shown) + unanswered_text(parts);
  return measured + failure_text(facts) + (facts.not_run > 0 ? "; " + not_run_text(facts) : "");
}

data::Mark mark_of(const PointAnswers& answered) {
  const PointsOfMarks where = points_of_marks(answered);
  if (where.size() == 1) return where.begin()->first;
  // A yes or a no beside what cannot be told is no yes in part.
  const bool is_unsure = where.size() == 2 && where.contains(data::Mark::cannot_tell);
  return is_unsure ? data::Mark::cannot_tell : data::Mark::partly;
}

}  // namespace

data::Answer answer_of(const AnswerFacts& facts, const std::string& shown) {
  const Parts parts = parts_of(facts.points);
  data::Answer answer;
  if (!parts.answered.empty()) {
    answer.mark = mark_of(parts.answered);
    answer.numbers = shown_of(parts.answered, shown).second.numbers;
  } else if (!facts.points.empty()) {
    answer = facts.points.back().second;
  } else if (!is_not_run(facts) && facts.failure->status != data::Status::skipped) {
    answer.numbers = {data::AnswerNumber::word(data::to_text(facts.failure->status))};
  }
  answer.sentence = sentence_of(facts, parts, shown);
  return answer;
}

data::AnswerState state_of(const AnswerFacts& facts) {
  if (!parts_of(facts.points).answered.empty()) return data::AnswerState::answered;
  if (!facts.points.empty()) return data::AnswerState::nothing_to_answer;
  if (is_not_run(facts)) return data::AnswerState::not_run;
  return facts.failure->status == data::Status::skipped ? data::AnswerState::skipped : data::AnswerState::failed;
}

std::string point_of(const AnswerFacts& facts, const std::string& shown) {
  const PointAnswers answered = parts_of(facts.points).answered;
  return answered.empty() ? "" : shown_of(answered, shown).first;
}

std::string common_point(const std::vector<AnswerFacts>& variants) {
  struct Seen {
    std::string point;
    std::set<data::Mark> marks = {};
    std::set<std::string> numbers = {};
    std::size_t rows = 0;  // in which it says something
    // What makes it the one to show: of the most rows, and of those one at which they differ.
    std::tuple<std::size_t, bool, bool> rank() const { return {rows, marks.size() > 1, numbers.size() > 1}; }
  };
  std::vector<Seen> points;
  for (const AnswerFacts& variant : variants)
    for (const auto& [point, answer] : parts_of(variant.points).answered) {
      auto known = std::ranges::find(points, point, &Seen::point);
      if (known == points.end()) known = points.insert(points.end(), {.point = point});
      ++known->rows;
      known->marks.insert(answer.mark);
      known->numbers.insert(data::numbers_text(answer));
    }
  const Seen* shown = nullptr;
  for (const Seen& point : points)
    if (!shown || point.rank() >= shown->rank()) shown = &point;
  return shown ? shown->point : "";
}

}  // namespace poslab::run
