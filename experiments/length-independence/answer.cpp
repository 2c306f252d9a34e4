// SPDX-License-Identifier: Apache-2.0
// What length-independence says of a variant: whether its codes stay in contexts of other lengths.
#include <fmt/format.h>

#include <algorithm>

#include "length-independence.hpp"
#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/nearly.hpp"

namespace poslab::experiments::length_independence {
namespace {

// One context, over the repeats.
struct Context {
  Index tokens = 0;
  data::MeanAndError change;  // on average over positions
  double largest = 0;
};

template <class D>
double largest_at(const Point& point, const Measure<D>& measure, std::size_t element) {
  double largest = 0;
  for (const std::vector<double>* curve : point.values(measure)) largest = std::max(largest, (*curve)[element]);
  return largest;
}

// All other contexts that were looked at, rising, each once.
std::vector<Context> contexts_of(const LengthIndependence& at, const Point& point) {
  using L = LengthIndependence;
  std::vector<Context> contexts;
  const auto add = [&]<class D>(Index tokens, const Measure<D>& mean, const Measure<D>& largest, std::size_t i) {
    if (tokens != at.length)
      contexts.push_back({tokens, point.mean(mean, static_cast<int>(i)), largest_at(point, largest, i)});
  };
  const std::vector<Index> lengths = at.other_lengths();
  for (std::size_t i = 0; i < lengths.size(); ++i) add(lengths[i], L::change, L::largest_change, i);
  const std::vector<double>& odd = point.coordinate<OddLength>();
  for (std::size_t i = 0; i < odd.size(); ++i) add(static_cast<Index>(odd[i]), L::odd_change, L::largest_odd_change, i);
  std::stable_sort(contexts.begin(), contexts.end(), [](auto& a, auto& b) { return a.tokens < b.tokens; });
  const auto same = [](const Context& a, const Context& b) { return a.tokens == b.tokens; };
  contexts.erase(std::unique(contexts.begin(), contexts.end(), same), contexts.end());
  return contexts;
}

// Contexts of fewer than N tokens, and those of more: how many changed codes by more than rounding, and how many could
// have shown it. Of one position alone no change shows nothing, since many schemes do nothing there.
struct Count {
  int moved = 0, telling = 0;
};
struct Others {
  Count within, beyond;
  Index shortest = 0, longest = 0;  // of those that tell
  Index last_within = 0;            // of fewer than N tokens
  Context worst;                    // in which codes move farthest on average
  double largest = 0;               // by which one moves anywhere
};

Others others_of(const LengthIndependence& at, const Point& point, double rounding) {
  const Index N = at.length;
  Others others;
  for (const Context& context : contexts_of(at, point)) {
    const bool has_moved = context.largest > rounding;
    Count& count = context.tokens < N ? others.within : others.beyond;
    count.moved += has_moved;
    others.largest = std::max(others.largest, context.largest);
    if (others.worst.tokens == 0 || context.change.mean >= others.worst.change.mean) others.worst = context;
    if (!has_moved && std::min(context.tokens, N) < 2) continue;
    count.telling += 1;
    if (others.shortest == 0) others.shortest = context.tokens;
    others.longest = context.tokens;
    if (context.tokens < N) others.last_within = context.tokens;
  }
  return others;
}

data::Answer same(Index length, const Others& others, const std::string& where) {
  const int telling = others.within.telling + others.beyond.telling;
  if (telling == 0)
    return {data::Mark::cannot_tell,
            {},
            fmt::format("no context of another length was looked at that shares two positions or more{}", where)};
  const std::string sentence = fmt::format(
      "codes are the same in {} as in one of {}",
      telling == 1 ? fmt::format("a context of {} tokens", others.shortest)
                   : fmt::format("{} contexts of {} to {} tokens", telling, others.shortest, others.longest),
      length);
  if (others.beyond.telling == 0)
    return {data::Mark::cannot_tell, {}, fmt::format("{}; no longer one was looked at{}", sentence, where)};
  return {data::Mark::yes,
          {data::AnswerNumber::exact(static_cast<double>(others.longest), 6, "tested to")},
          sentence + where};
}

std::string same_within(const Others& others) {
  if (others.within.telling == 1) return fmt::format(", and in one of {} they are the same", others.last_within);
  return fmt::format(", and in {} contexts of {} to {} tokens they are the same", others.within.telling,
                     others.shortest, others.last_within);
}

data::Answer moving(const Others& others, const std::string& where) {
  const Context& worst = others.worst;
  const bool within = others.within.moved == 0 && others.within.telling > 0;
  const std::string sentence =
      fmt::format("in a context of {} tokens, codes move by {} of their size on average, by {:.3g} at most{}{}",
                  worst.tokens, data::to_text(worst.change), worst.largest, within ? same_within(others) : "", where);
  if (others.largest <= hardly) return {data::Mark::partly, {holds_to(others.largest)}, "nearly the same: " + sentence};
  return {within ? data::Mark::partly : data::Mark::no, {data::AnswerNumber::of(worst.change)}, sentence};
}

}  // namespace

data::AnswerColumn LengthIndependence::column() {
  return {"any length",
          "x",
          "codes are the same in contexts of other lengths; in part: up to the trained length, or nearly",
          {{"x", "so many times their size they move on average"},
           {"tested to", "the longest context that was tried"},
           deviation_word()},
          true};
}

data::Answer LengthIndependence::answer(const Point& point) const {
  const std::string where = answer_text::where(point);
  if (!point.has(change))
    return {data::Mark::no,
            {},
            fmt::format("its codes are zero at this length, and are not in contexts of others{}", where)};
  const Others others = others_of(*this, point, point.allowed(largest_change, 0, 0));
  return others.within.moved + others.beyond.moved == 0 ? same(length, others, where) : moving(others, where);
}

}  // namespace poslab::experiments::length_independence
