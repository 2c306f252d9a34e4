// SPDX-License-Identifier: Apache-2.0
// What content-independence says of a variant: whether it adds the same to all contents, and if not, whether at least
// its codes and maps look at none.
#include <fmt/format.h>

#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::content_independence {

data::AnswerColumn column() {
  return {
      "any content", "nat",
      "adds the same to the logits of all contents; partly: a fixed code or map, which meets contents in a product; "
      "else by how much it differs"};
}

data::Answer answer(const Point& point) {
  const std::string where = answer_text::where(point);
  const data::MeanAndError size = point.mean("size"), spread = point.mean("content_spread");
  if (point.largest("content_spread") <= point.allowed("content_spread", 0, 0))
    return {data::Mark::yes, "",
            point.largest("size") == 0
                ? "nothing is added to the logits" + where
                : fmt::format("the same is added to the logits of all contents, {} nat in size{}", data::to_text(size),
                              where)};
  const std::string sentence = fmt::format("of what is added to logits, {} nat in size, {} nat differ between contents",
                                           data::to_text(size), data::to_text(spread));
  if (point.largest("curvature") <= point.allowed("curvature", 0, 0))
    return {data::Mark::partly, data::to_text(spread),
            fmt::format("{}, linearly in queries and keys: the code or map itself looks at none{}", sentence, where)};
  return {data::Mark::no, data::to_text(spread),
          fmt::format("{}, not linearly in queries and keys: what it says of positions depends on the content{}",
                      sentence, where)};
}

}  // namespace poslab::experiments::content_independence
