// SPDX-License-Identifier: Apache-2.0
// What cache-consistency says of a variant: may a decoder keep its keys?
#include <fmt/format.h>

#include <algorithm>

#include "poslab/experiments/answer_text.hpp"
#include "poslab/experiments/inner_axes.hpp"

namespace poslab::experiments::cache_consistency {
namespace {

constexpr double certainly_no_rounding = 10;  // times the tolerance

// The share at which the mean over repeats is largest.
struct Worst {
  double share = 0;
  data::MeanAndError value;
};

Worst worst_of(const Point& point, const std::string& measure) {
  const std::vector<double>& shares = point.repeats.front()->coordinate_of("cached")->values;
  Worst worst;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const data::MeanAndError at = point.mean(measure, static_cast<int>(i));
    if (i == 0 || at.mean > worst.value.mean) worst = {shares[i], at};
  }
  return worst;
}

}  // namespace

data::AnswerColumn column() {
  return {"cache", "sd", "keys cached in a shorter context serve a longer one; no: the largest change of a logit"};
}

data::Answer answer(const Point& point) {
  const double length = static_cast<double>(point.axes.integer("length"));
  const double cached = point.largest("cached_error"), past = point.largest("past_error");
  const double allowed = point.allowed("cached_error", length - 1, length);
  const std::string where = answer_text::where(point);
  if (whole_share(rising(point.axes.list("cached")).back(), length) < 2)
    return {data::Mark::cannot_tell, "",
            fmt::format("only one token was there before, at position 0, which many schemes leave as it is{}", where)};
  if (std::max(cached, past) <= allowed)
    return {data::Mark::yes, "",
            fmt::format("no logit changes by more than {:.2g} sd when the context grows, with cached keys or without{}",
                        std::max(cached, past), where)};
  if (std::max(cached, past) <= certainly_no_rounding * allowed)
    return {data::Mark::cannot_tell, "",
            fmt::format("logits change by {:.2g} sd when the context grows, which may be rounding{}",
                        std::max(cached, past), where)};
  if (cached <= allowed) {
    const Worst worst = worst_of(point, "past_error");
    return {data::Mark::partly, data::to_text(worst.value),
            fmt::format("cached keys serve new queries, but logits of old queries, which later layers are made from, "
                        "change by {} sd when {:g} of the context grows to all{}",
                        data::to_text(worst.value), worst.share, where)};
  }
  const Worst worst = worst_of(point, "cached_error");
  return {
      data::Mark::no, data::to_text(worst.value),
      fmt::format("a logit of a new query changes by {} sd if its key was cached when {:g} of the context was there, "
                  "{:.2g} of the attention goes elsewhere; with all keys made again, old logits change by {:.2g} sd{}",
                  data::to_text(worst.value), worst.share, worst_of(point, "attention_moved").value.mean, past, where)};
}

}  // namespace poslab::experiments::cache_consistency
