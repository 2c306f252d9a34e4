// SPDX-License-Identifier: Apache-2.0
#include "answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trend.hpp"

namespace poslab::experiments::distance_profile {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// "for random contents at every step and for equal and all-ones contents in waves"
std::string where_it_falls(const std::vector<Finding>& found) {
  std::vector<std::string> smoothly, in_waves;
  for (const Finding& finding : found)
    if (finding.trend == Trend::falls) (finding.at_every_step ? smoothly : in_waves).push_back(finding.contents);
  std::vector<std::string> parts;
  if (!smoothly.empty()) parts.push_back(fmt::format("for {} contents at every step", joined(smoothly)));
  if (!in_waves.empty()) parts.push_back(fmt::format("for {} contents in waves", joined(in_waves)));
  return joined(parts);
}

const char* words_of(Trend trend) {
  switch (trend) {
    case Trend::falls: return "falls";
    case Trend::rises: return "rises";
    case Trend::flat: return "stays level";
    case Trend::unclear: return "may fall or not";
    case Trend::undefined: break;
  }
  return "is not defined";
}

// "for random contents it stays level (a fall of 0.001 ± 0.002 sd)"
std::string elsewhere(const std::vector<Finding>& found) {
  std::vector<std::string> parts;
  for (const Finding& finding : found)
    if (finding.trend != Trend::falls)
      parts.push_back(fmt::format("for {} contents it {} (a fall of {} sd)", finding.contents, words_of(finding.trend),
                                  data::to_text(finding.fall)));
  return joined(parts);
}

struct Length {
  std::string number, sentence;
};

Length decay(const Point& point) {
  const data::MeanAndError length = point.mean("decay_length_equal");
  const double last = point.repeats.front()->coordinate_of("distance")->values.back();
  if (length.values == 0)
    return {fmt::format("> {:g}", last),
            fmt::format("it does not fall by 1 for good within {:g} position{}", last, last == 1 ? "" : "s")};
  const std::string text = data::to_text(length);
  if (length.values == point.repeats.size())
    return {text, fmt::format("it has fallen by 1 for good after {} position{}", text, text == "1" ? "" : "s")};
  return {"", fmt::format("it falls by 1 for good in {} of {} repeats", length.values, point.repeats.size())};
}

data::Mark mark_of(const std::vector<Finding>& found) {
  const auto all = [&](auto test) { return std::all_of(found.begin(), found.end(), test); };
  const auto any = [&](Trend trend) {
    return std::any_of(found.begin(), found.end(), [&](const Finding& finding) { return finding.trend == trend; });
  };
  if (all([](const Finding& finding) { return finding.at_every_step; })) return data::Mark::yes;
  if (any(Trend::falls)) return data::Mark::partly;
  return any(Trend::unclear) ? data::Mark::cannot_tell : data::Mark::no;
}

}  // namespace

data::AnswerColumn column() {
  return {"distance", "positions",
          "logits fall with distance, by 1 within so many; 1 is a weight of 1/e; for equal contents"};
}

data::Answer answer(const Point& point) {
  const std::vector<Finding> found = findings(point);
  if (found.front().trend == Trend::undefined)
    return {data::Mark::none, "", "one position has no distances over which a logit could fall"};
  data::Answer answer{mark_of(found), "", ""};
  const std::string falls = where_it_falls(found), others = elsewhere(found);
  if (!falls.empty())
    answer.sentence = "the mean logit falls with distance " + falls;
  else if (answer.mark == data::Mark::cannot_tell)
    answer.sentence = "whether the mean logit falls with distance cannot be told: " + others;
  else
    answer.sentence = "the mean logit does not fall with distance: " + others;
  if (!falls.empty() && !others.empty()) answer.sentence += "; " + others;
  for (const Finding& finding : found) {
    if (finding.contents != "equal" || finding.trend != Trend::falls) continue;
    const Length length = decay(point);
    if (!length.number.empty()) answer.numbers = {data::AnswerNumber::word(length.number)};
    answer.sentence += fmt::format("; for equal contents {}", length.sentence);
  }
  return answer;
}

}  // namespace poslab::experiments::distance_profile
