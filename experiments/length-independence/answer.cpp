// SPDX-License-Identifier: Apache-2.0
// What length-independence says of a variant: whether its codes stay in contexts of other lengths.
#include <fmt/format.h>

#include <algorithm>

#include "contexts.hpp"
#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::length_independence {
namespace {

// Over repeats.
double largest_at(const Point& point, std::size_t context) {
  double largest = 0;
  for (const std::vector<double>* curve : point.values("largest_change"))
    largest = std::max(largest, (*curve)[context]);
  return largest;
}

// Contexts of fewer than N tokens, and those of more: how many changed codes by more than rounding, and how many could
// have shown it. Of one position alone no change shows nothing, since many schemes do nothing there.
struct Contexts {
  int moved = 0, telling = 0;
};
struct Others {
  Contexts within, beyond;
  base::Index shortest = 0, longest = 0;  // of those that tell
};

Others others_of(const Point& point, double rounding) {
  const std::vector<base::Index> lengths = other_lengths(point.axes);
  const base::Index N = point.axes.integer("length");
  Others others;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const base::Index T = lengths[i];
    if (T == N || (i > 0 && T == lengths[i - 1])) continue;
    const bool has_moved = largest_at(point, i) > rounding;
    Contexts& contexts = T < N ? others.within : others.beyond;
    contexts.moved += has_moved;
    if (!has_moved && std::min(T, N) < 2) continue;
    contexts.telling += 1;
    if (others.shortest == 0) others.shortest = T;
    others.longest = T;
  }
  return others;
}

// The context in which codes move farthest on average.
std::size_t worst_of(const Point& point) {
  const std::size_t contexts = multiples(point.axes).size();
  std::size_t worst = 0;
  for (std::size_t i = 1; i < contexts; ++i)
    if (point.mean("change", static_cast<int>(i)).mean >= point.mean("change", static_cast<int>(worst)).mean) worst = i;
  return worst;
}

data::Answer same(const Point& point, const Others& others, const std::string& where) {
  if (others.within.telling + others.beyond.telling == 0)
    return {data::Mark::cannot_tell, "",
            fmt::format("no context of another length was looked at that shares two positions or more{}", where)};
  const std::string contexts =
      others.shortest == others.longest
          ? fmt::format("a context of {} tokens", others.shortest)
          : fmt::format("{} contexts of {} to {} tokens", others.within.telling + others.beyond.telling,
                        others.shortest, others.longest);
  const std::string sentence =
      fmt::format("codes are the same in {} as in one of {}", contexts, point.axes.integer("length"));
  if (others.beyond.telling == 0)
    return {data::Mark::cannot_tell, "", fmt::format("{}; no longer one was looked at{}", sentence, where)};
  return {data::Mark::yes, "", sentence + where};
}

}  // namespace

data::AnswerColumn column() {
  return {"any length", "x",
          "codes are the same in contexts of all lengths; partly: up to the trained length; else by "
          "which share of their size they move"};
}

data::Answer answer(const Point& point) {
  const std::string where = answer_text::where(point);
  if (point.values("change").empty())
    return {data::Mark::no, "",
            fmt::format("its codes are zero at this length, and are not in contexts of others{}", where)};
  const Others others = others_of(point, point.allowed("largest_change", 0, 0));
  if (others.within.moved + others.beyond.moved == 0) return same(point, others, where);
  const std::size_t worst = worst_of(point);
  const data::MeanAndError change = point.mean("change", static_cast<int>(worst));
  const std::string sentence =
      fmt::format("in a context of {:g} times the length, codes move by {} of their size on average, by {:.3g} at most",
                  multiples(point.axes)[worst], data::to_text(change), largest_at(point, worst));
  if (others.within.moved == 0 && others.within.telling > 0)
    return {data::Mark::partly, data::to_text(change),
            fmt::format("{}, and up to the trained length they are the same{}", sentence, where)};
  return {data::Mark::no, data::to_text(change), sentence + where};
}

}  // namespace poslab::experiments::length_independence
