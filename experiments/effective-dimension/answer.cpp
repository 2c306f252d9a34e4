// SPDX-License-Identifier: Apache-2.0
// What effective-dimension says of a variant: a number of directions, which is neither good nor bad.
#include <fmt/format.h>

#include "effective-dimension.hpp"
#include "poslab/experiment/answer_text.hpp"

namespace poslab::experiments::effective_dimension {

data::AnswerColumn EffectiveDimension::column() {
  return {"dimensions", "", "so many directions the codes of N positions fill alike"};
}

data::Answer EffectiveDimension::answer(const Point& point) const {
  const data::MeanAndError codes = point.mean(participation);
  const std::string where = answer_text::where(point);
  if (codes.values == 0)
    return {data::Mark::none, {}, "what it says of a position depends on the contents: it has no codes" + where};
  return {data::Mark::none,
          {data::AnswerNumber::of(codes)},
          fmt::format("its codes fill {} directions alike, {} less their mean; {} hold 0.99 of their squared norm{}",
                      data::to_text(codes), data::to_text(point.mean(participation_centred)),
                      data::to_text(point.mean(directions_99)), where)};
}

}  // namespace poslab::experiments::effective_dimension
