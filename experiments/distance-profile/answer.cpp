// SPDX-License-Identifier: Apache-2.0
// What the cells of a variant say: does the mean logit fall with distance, for which contents, how soon?
#include <fmt/format.h>

#include <algorithm>

#include "distance-profile.hpp"
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
    if (finding.trend == Trend::falls) (finding.at_every_step ? smoothly : in_waves).push_back(finding.called);
  std::vector<std::string> parts;
  if (!smoothly.empty()) parts.push_back(fmt::format("for {} contents at every step", joined(smoothly)));
  if (!in_waves.empty()) parts.push_back(fmt::format("for {} contents in waves", joined(in_waves)));
  return joined(parts);
}

const char* words_of(Trend trend) {
  switch (trend) {
    case Trend::falls: return "falls";
    case Trend::falls_little: return "falls at every step, but not surely by more than 0.1 sd";
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
      parts.push_back(fmt::format("for {} contents it {} (a fall of {} sd)", finding.called, words_of(finding.trend),
                                  data::to_text(finding.fall)));
  return joined(parts);
}

struct Length {
  std::vector<data::AnswerNumber> number;
  std::string sentence;
};

Length decay(const Point& point) {
  const data::MeanAndError length = point.mean(DistanceProfile::equal.decay_length);
  const double last = point.coordinate<Distance>().back();
  if (length.values == 0)
    return {{data::AnswerNumber::exact(last).with_relation(data::Relation::above)},
            fmt::format("it does not fall by 1 for good within {:g} position{}", last, last == 1 ? "" : "s")};
  if (length.values < point.repeats.size())
    return {{}, fmt::format("it falls by 1 for good in {} of {} repeats", length.values, point.repeats.size())};
  const std::string text = data::to_text(length);
  return {{data::AnswerNumber::of(length)},
          fmt::format("it has fallen by 1 for good after {} position{}", text, text == "1" ? "" : "s")};
}

// Heads of which one does the contrary of another, or of their mean.
std::string by_heads(const Heads& heads, bool mean_falls) {
  if (heads.falling == 0 || (heads.rising == 0 && mean_falls)) return "";
  return fmt::format("; of {} heads {} fall and {} rise for all-ones contents", heads.all, heads.falling, heads.rising);
}

data::Mark mark_of(const std::vector<Finding>& found, const Heads& heads) {
  const auto any = [&](Trend trend) {
    return std::any_of(found.begin(), found.end(), [&](const Finding& finding) { return finding.trend == trend; });
  };
  const bool falls_everywhere =
      std::all_of(found.begin(), found.end(), [](const Finding& finding) { return finding.at_every_step; });
  if (falls_everywhere && heads.rising == 0) return data::Mark::yes;
  if (any(Trend::falls) || any(Trend::falls_little) || heads.falling > 0) return data::Mark::partly;
  return any(Trend::unclear) ? data::Mark::cannot_tell : data::Mark::no;
}

// The length of the fall of equal contents; where that is little, its size.
Length length_of(const Point& point, const std::vector<Finding>& found) {
  Length length;
  for (const Finding& finding : found) {
    const bool is_of_equal = finding.contents == Contents::equal;
    if (is_of_equal && finding.trend == Trend::falls) return decay(point);
    if (finding.trend == Trend::falls_little && (is_of_equal || length.number.empty()))
      length.number = {data::AnswerNumber::of(finding.fall, "fall").with_unit("sd")};
  }
  return length;
}

}  // namespace

data::AnswerColumn DistanceProfile::column() {
  return {"distance", "positions",
          "logits fall with distance, by 1 within so many; 1 is a weight of 1/e; for equal contents"};
}

data::Answer DistanceProfile::answer(const Point& point) const {
  const std::vector<Finding> found = findings(*this, point);
  if (found.front().trend == Trend::undefined)
    return {data::Mark::none, {}, "one position has no distances over which a logit could fall"};
  const Heads heads = heads_of(point);
  const std::string falls = where_it_falls(found), others = elsewhere(found);
  const Length how_soon = length_of(point, found);
  data::Answer answer{mark_of(found, heads), how_soon.number, ""};
  if (!falls.empty())
    answer.sentence = "the mean logit falls with distance " + falls + (others.empty() ? "" : "; " + others);
  else if (answer.mark == data::Mark::cannot_tell)
    answer.sentence = "whether the mean logit falls with distance cannot be told: " + others;
  else
    answer.sentence = fmt::format("the mean logit {} with distance: {}",
                                  answer.mark == data::Mark::no ? "does not fall" : "hardly falls", others);
  answer.sentence += by_heads(heads, found.back().trend == Trend::falls);
  if (!how_soon.sentence.empty()) answer.sentence += fmt::format("; for equal contents {}", how_soon.sentence);
  if (is_one_draw(point)) answer.sentence += "; one repeat of drawn weights says nothing of others";
  return answer;
}

}  // namespace poslab::experiments::distance_profile
