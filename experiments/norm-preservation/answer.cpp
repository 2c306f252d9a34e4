// SPDX-License-Identifier: Apache-2.0
// What norm-preservation says of a variant: whether vectors keep their lengths and inner products, and by which factor
// their lengths change if not.
#include <fmt/format.h>

#include <algorithm>

#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::experiments::norm_preservation {
namespace {

constexpr double certainly_no_rounding = 10;  // times the tolerance

// Over the repeats, of ratio_mean's mean over all positions.
data::MeanAndError mean_ratio(const Point& point) {
  std::vector<double> of_repeats;
  for (const std::vector<double>* curve : point.values("ratio_mean")) {
    double mean = 0;
    for (const double ratio : *curve) mean += ratio / static_cast<double>(curve->size());
    of_repeats.push_back(mean);
  }
  return data::mean_and_error(of_repeats);
}

}  // namespace

data::AnswerColumn column() {
  return {"norms", "x",
          "vectors keep lengths and inner products; partly: up to one factor; else the factor of lengths"};
}

data::Answer answer(const Point& point) {
  const double rounding = point.allowed("ratio_mean", 0, 0), error = point.largest("isometry_error");
  const double least = point.smallest("ratio_min"), most = point.largest("ratio_max");
  const std::string where = answer_text::where(point);
  const double times_allowed =
      std::max(error / point.allowed("isometry_error", 0, 0), std::max(1 - least, most - 1) / rounding);
  if (times_allowed <= 1)
    return {
        data::Mark::yes, "",
        fmt::format("vectors keep their lengths and inner products: no inner product changes by more than {:.2g} of "
                    "the norms, which is rounding{}",
                    error, where)};
  if (times_allowed <= certainly_no_rounding)
    return {data::Mark::cannot_tell, "",
            fmt::format("it may be rounding or a small change: inner products change by up to {:.2g} of the norms{}",
                        error, where)};
  const data::MeanAndError ratio = mean_ratio(point);
  if (most - least <= 2 * rounding * most)
    return {data::Mark::partly, fmt::format("{:.4g}", ratio.mean),
            fmt::format("all lengths change by one factor, {:.6g}, at every position{}", ratio.mean, where)};
  const double lowest = point.smallest("ratio_mean"), highest = point.largest("ratio_mean");
  return {data::Mark::no, data::to_text(ratio),
          fmt::format("lengths change by a factor of {} on average, between {:.3g} and {:.3g} by position, between "
                      "{:.3g} and {:.3g} of single vectors{}",
                      data::to_text(ratio), lowest, highest, least, most, where)};
}

}  // namespace poslab::experiments::norm_preservation
