// SPDX-License-Identifier: Apache-2.0
// What length-independence says of a variant: whether its codes stay in contexts of other lengths.
#include <fmt/format.h>

#include <algorithm>

#include "contexts.hpp"
#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::length_independence {
namespace {

// How many of the contexts of fewer than N tokens, and of those beyond, change codes by more than rounding.
struct Moved {
  int within = 0, of_within = 0, beyond = 0, of_beyond = 0;
};

Moved count(const Point& point, const std::vector<double>& others, double rounding) {
  Moved moved;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i] == 1) continue;  // the same context
    double largest = 0;
    for (const std::vector<double>* curve : point.values("largest_change")) largest = std::max(largest, (*curve)[i]);
    (others[i] < 1 ? moved.of_within : moved.of_beyond) += 1;
    if (largest > rounding) (others[i] < 1 ? moved.within : moved.beyond) += 1;
  }
  return moved;
}

}  // namespace

data::AnswerColumn column() {
  return {"any length", "x",
          "codes are the same in contexts of all lengths; partly: up to the trained length; else by "
          "which share of their size they move"};
}

data::Answer answer(const Point& point) {
  const std::vector<double> others = multiples(point.axes);
  const std::string where = answer_text::where(point);
  if (point.values("change").empty())
    return {data::Mark::no, "",
            fmt::format("its codes are zero at this length, and are not in contexts of others{}", where)};
  const Moved moved = count(point, others, point.allowed("largest_change", 0, 0));
  if (moved.of_within + moved.of_beyond == 0)
    return {data::Mark::cannot_tell, "", fmt::format("no context of another length was looked at{}", where)};
  if (moved.within + moved.beyond == 0)
    return {data::Mark::yes, "",
            fmt::format("codes are the same in contexts of {:g} to {:g} times the length{}",
                        std::min(1.0, others.front()), std::max(1.0, others.back()), where)};
  const data::MeanAndError change = point.mean("change", -1);
  const std::string sentence =
      fmt::format("in a context of {:g} times the length, codes move by {} of their size on average, by {:.3g} at most",
                  others.back(), data::to_text(change), point.largest("largest_change"));
  if (moved.within == 0 && moved.of_within > 0)
    return {data::Mark::partly, data::to_text(change),
            fmt::format("{}, and up to the trained length they are the same{}", sentence, where)};
  return {data::Mark::no, data::to_text(change), sentence + where};
}

}  // namespace poslab::experiments::length_independence
