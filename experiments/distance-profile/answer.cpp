// SPDX-License-Identifier: Apache-2.0
// What the cells of a variant say: does the mean logit fall with distance, for which contents, how soon?
#include <fmt/format.h>

#include <algorithm>

#include "distance-profile.hpp"
#include "poslab/experiment/precision.hpp"
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
    case Trend::falls_after_own: return "falls from distance 1 on, and only the query's own key is below the nearest";
    case Trend::own_alone: return "does not fall from distance 1 on, and only the query's own key is above the others";
    case Trend::falls_little: return "falls at every step, but not surely by more than 0.1 sd";
    case Trend::rises: return "rises";
    case Trend::flat: return "stays level";
    case Trend::unclear: return "may fall or not";
    case Trend::undefined: break;
  }
  return "is not defined";
}

// "a fall of 0.001 ± 0.002 sd", and where the own key is another matter, what it is without it.
std::string fall_text(const Finding& finding) {
  const std::string fall = fmt::format("a fall of {} sd", data::to_text(finding.fall));
  if (finding.trend != Trend::falls_after_own && finding.trend != Trend::own_alone) return fall;
  return fmt::format("{} from the own key, of {} sd from distance 1, from where it rises at {} of {} steps", fall,
                     data::to_text(finding.after_own), finding.steps - finding.steps_down, finding.steps);
}

// "for random contents it stays level (a fall of 0.001 ± 0.002 sd)"
std::string elsewhere(const std::vector<Finding>& found) {
  std::vector<std::string> parts;
  for (const Finding& finding : found)
    if (finding.trend != Trend::falls)
      parts.push_back(
          fmt::format("for {} contents it {} ({})", finding.called, words_of(finding.trend), fall_text(finding)));
  return joined(parts);
}

struct Length {
  std::vector<data::AnswerNumber> number;
  std::string sentence;
};

// The first distance of each repeat at which it has fallen by 1, for good or not.
data::MeanAndError first_below(const Point& point, Dtype dtype) {
  std::vector<double> first;
  const std::vector<double>& distances = point.coordinate<Distance>();
  const auto own = static_cast<std::size_t>(std::ranges::find(distances, 0.0) - distances.begin());
  for (const std::vector<double>* curve : point.values(DistanceProfile::equal.change))
    for (std::size_t r = own + 1; r < curve->size(); ++r)
      if ((*curve)[r] <= (*curve)[own] - 1 + slack_of({(*curve)[own], (*curve)[r]}, dtype)) {
        first.push_back(distances[r]);
        break;
      }
  return data::mean_and_error(first);
}

Length decay(const Point& point, Dtype dtype) {
  const data::MeanAndError length = point.mean(DistanceProfile::equal.decay_length);
  const double last = point.coordinate<Distance>().back();
  if (length.values == 0)
    return {{data::AnswerNumber::exact(last).with_relation(data::Relation::above)},
            fmt::format("it does not fall by 1 for good within {:g} position{}", last, last == 1 ? "" : "s")};
  const data::MeanAndError first = first_below(point, dtype);
  const std::string at_first =
      first.mean < length.mean ? fmt::format("first at distance {}, and ", data::to_text(first)) : "";
  if (length.values < point.repeats.size())
    return {{data::AnswerNumber::exact(static_cast<double>(length.values), 12, "by 1 in").with_unit("repeats")},
            fmt::format("it falls by 1 {}for good in {} of {} repeats, from distance {} on", at_first, length.values,
                        point.repeats.size(), data::to_text(length))};
  const std::string text = data::to_text(length);
  return {{data::AnswerNumber::of(length)},
          fmt::format("it has fallen by 1 {}for good after {} position{}", at_first, text, text == "1" ? "" : "s")};
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
  for (const Trend in_part : {Trend::falls, Trend::falls_after_own, Trend::own_alone, Trend::falls_little})
    if (any(in_part)) return data::Mark::partly;
  if (heads.falling > 0) return data::Mark::partly;
  return any(Trend::unclear) ? data::Mark::cannot_tell : data::Mark::no;
}

// The length of the fall of equal contents; where that is little, or not from the own key, its size.
Length length_of(const DistanceProfile& at, const Point& point, const std::vector<Finding>& found) {
  Length length;
  for (const Finding& finding : found) {
    const bool is_of_equal = finding.contents == Contents::equal;
    if (is_of_equal && finding.trend == Trend::falls) return decay(point, at.dtype);
    if (is_of_equal && finding.trend == Trend::falls_after_own)
      return {{data::AnswerNumber::of(finding.after_own, "fall").with_unit("sd")}, ""};
    if (is_of_equal && finding.trend == Trend::own_alone)
      return {{data::AnswerNumber::of(finding.fall, "fall").with_unit("sd")}, ""};
    if (finding.trend == Trend::falls_little && (is_of_equal || length.number.empty()))
      length.number = {data::AnswerNumber::of(finding.fall, "fall").with_unit("sd")};
  }
  return length;
}

// What it does where it falls for no contents from the own key on.
const char* no_fall_text(data::Mark mark, const std::vector<Finding>& found) {
  const auto any = [&](Trend trend) { return std::ranges::any_of(found, [&](auto& of) { return of.trend == trend; }); };
  if (any(Trend::falls_after_own)) return "falls with distance, but for the query's own key";
  if (any(Trend::own_alone)) return "falls from the query's own key alone";
  return mark == data::Mark::no ? "does not fall with distance" : "hardly falls with distance";
}

}  // namespace

data::AnswerColumn DistanceProfile::column() {
  return {"distance",
          "positions",
          "logits of equal contents fall with distance, by 1 (weight 1/e) for good after so many positions",
          {{"fall", "in all they fall by only so much"},
           {"by 1 in", "they fall by 1 in so many repeats, and not in the others"},
           {"repeats", "draws of the contents"},
           {"sd", "the standard deviation of logits of random contents"}},
          true};
}

data::Answer DistanceProfile::answer(const Point& point) const {
  const std::vector<Finding> found = findings(*this, point);
  if (found.front().trend == Trend::undefined)
    return {data::Mark::none, {}, "one position has no distances over which a logit could fall"};
  const Heads heads = heads_of(point);
  const std::string falls = where_it_falls(found), others = elsewhere(found);
  const Length how_soon = length_of(*this, point, found);
  data::Answer answer{mark_of(found, heads), how_soon.number, ""};
  if (!falls.empty())
    answer.sentence = "the mean logit falls with distance " + falls + (others.empty() ? "" : "; " + others);
  else if (answer.mark == data::Mark::cannot_tell)
    answer.sentence = "whether the mean logit falls with distance cannot be told: " + others;
  else
    answer.sentence = fmt::format("the mean logit {}: {}", no_fall_text(answer.mark, found), others);
  answer.sentence += by_heads(heads, found.back().trend == Trend::falls);
  if (!how_soon.sentence.empty()) answer.sentence += fmt::format("; for equal contents {}", how_soon.sentence);
  if (is_one_draw(point)) answer.sentence += "; one repeat of drawn weights says nothing of others";
  return answer;
}

}  // namespace poslab::experiments::distance_profile
